import { instance } from '@viz-js/viz';

/** `a --> b : label` */
const ARROW = /^\s*(\S+) --> (\S+)(?: : (.+))?$/;

const BEGIN = '[*]';

/** A colour that nothing else has, for that of the page's text, which Graphviz does not know. */
const INK = { color: '#0a0b0c', fontcolor: '#0a0b0c' };

/** A state diagram of Mermaid as a drawing that follows the colours of the page. Nothing is loaded in the browser for it. */
export async function stateDiagrams(): Promise<(text: string) => string> {
  const viz = await instance();
  return (text) => {
    const arrows = text.split('\n').flatMap((line) => {
      const [, from, to, label = ''] = ARROW.exec(line) ?? [];
      return from === undefined || to === undefined ? [] : [{ from, to, label }];
    });
    if (arrows.length === 0) throw new Error(`This is no state diagram:\n${text}`);
    const edges = arrows.map(({ from, to, label }) => ({
      tail: from,
      head: to,
      attributes: { label: label.replaceAll(', ', '\n') },
    }));
    const states = [...new Set(arrows.flatMap(({ from, to }) => [from, to]))].filter((name) => name !== BEGIN);
    const svg = viz.renderString(
      {
        graphAttributes: { bgcolor: 'transparent', ranksep: 0.6 },
        nodeAttributes: { shape: 'box', style: 'rounded', ...INK, fontname: 'sans-serif' },
        edgeAttributes: { ...INK, fontname: 'sans-serif', fontsize: 10 },
        nodes: [
          { name: BEGIN, attributes: { shape: 'point', label: '' } },
          ...states.map((name) => ({ name, attributes: { label: name } })),
        ],
        edges,
      },
      { format: 'svg' },
    );
    const drawing = svg
      .slice(svg.indexOf('<svg'))
      .replaceAll(/<title>.*?<\/title>/gs, '')
      .replaceAll(INK.color, 'currentColor')
      .replace(/width="[^"]*" height="[^"]*"/, 'style="max-width:100%;height:auto"');
    return `<div class="diagram" role="img" aria-label="State diagram" style="overflow-x:auto">${drawing}</div>`;
  };
}
