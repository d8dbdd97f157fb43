/** One short line for the person who waits, beside what a command answers. */
export function say(text) {
  process.stderr.write(`railyard: ${text}\n`);
}

/** A failure a person can act on: what happened, then what to do. */
export class Refusal extends Error {
  constructor(what, advice) {
    super(`${what}\nrailyard: ${advice}`);
    this.name = 'Refusal';
  }
}

/** Runs a script's main function, turns its failure into text and an exit code. */
export async function main(work) {
  try {
    process.exitCode = await work(process.argv.slice(2));
  } catch (error) {
    const text = error instanceof Refusal ? error.message : String(error?.stack ?? error);
    process.stderr.write(`railyard: ${text}\n`);
    process.exitCode = 1;
  }
}
