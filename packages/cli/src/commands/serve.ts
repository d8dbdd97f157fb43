import { CONNECTOR_OPTIONS, findConnectors } from '../connectors/find-connectors.ts';
import { jsonText } from '../output/json.ts';
import { type Command, type Given, textOf, UsageError } from './command.ts';

export const serve: Command = {
  usage: 'serve [--port PORT] [--simulator-port PORT]',
  help: 'Starts the hosted checkout with the connectors and a simulated provider, for a trial: it keeps no data and moves no money. It makes a session for each method and shows the address of its payment page. Needs the checkout: npm install @railyard/checkout',
  options: {
    port: { type: 'string', hint: 'PORT', says: 'of the checkout; default: 8080; 0 for any free port' },
    'simulator-port': { type: 'string', hint: 'PORT', says: 'of the simulated provider; default: any free port' },
    ...CONNECTOR_OPTIONS,
  },
  words: [0, 0],
  async run(given, io) {
    const ports = { checkout: portOf(given, 'port', 8080), simulator: portOf(given, 'simulator-port', 0) };
    const found = await findConnectors(given, io.cwd);
    const { startTrial } = await import('../serve/trial.ts');
    const trial = await startTrial(found, ports);
    const { checkoutUrl, simulatorUrl, merchant, sessions, skipped } = trial;
    const told = { checkout: checkoutUrl, simulator: simulatorUrl, merchant, sessions, skipped };
    const lines = [
      `checkout\t${checkoutUrl}`,
      `payer’s bank\t${simulatorUrl}`,
      `merchant\tkey ${merchant.key}, password ${merchant.password}`,
      ...sessions.map(({ method, url, problem }) => `${method}\t${url ?? `no session could be made up: ${problem}`}`),
      ...skipped.map((id) => `${id}\thas no simulation and is left out`),
      'Ctrl-C ends it.',
    ];
    io.out.write(`${given.values.json === true ? jsonText(told) : lines.join('\n')}\n`);
    await io.stopped();
    await trial.stop();
    return { code: 0, json: undefined, text: () => '' };
  },
};

export function portOf(given: Given, name: string, usual: number): number {
  const port = Number(textOf(given, name) ?? usual);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--${name} takes a number up to 65535.`);
  return port;
}
