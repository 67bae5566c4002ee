import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { isUnreachable } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { checkStage, OtherStage } from '../platform/installation.ts';
import { nearestNames } from '../platform/nearest-names.ts';
import { type ActionOutput, Refusal, refuse } from '../platform/operator-action.ts';
import { openShop, type Shop } from '../wiring/app.ts';
import { readConfig, UnusableConfig } from '../wiring/config.ts';
import { type ListedAction, loadActions, type Program, programOf } from './actions.ts';
import { readCommandLine, refuseFields } from './command-line.ts';
import { commandOf, helpOf, helpOfAll } from './help.ts';
import { performAction, UnusableFields } from './perform.ts';

/** The arguments and streams of an operator command. */
export interface Terminal {
  /** `operate` by default. */
  program?: Program;
  args: string[];
  /** The environment of this process by default. */
  environment?: NodeJS.ProcessEnv;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
}

/** Runs a command line and returns the exit status. */
export async function operate(terminal: Terminal): Promise<number> {
  try {
    await runCommand(terminal);
    return 0;
  } catch (error) {
    const refusal = refusalOf(error);
    terminal.stderr.write(`${refusal.message}\n`);
    return refusal.status;
  }
}

async function runCommand(terminal: Terminal): Promise<void> {
  const { stdout, environment, program = 'operate' } = terminal;
  const actions = await loadActions();
  const asksForHelp =
    ['help', '--help', '-h'].includes(terminal.args[0] ?? '') ||
    terminal.args.some((arg) => arg === '--help' || arg === '-h');
  const isOption = (arg: string | undefined) => arg === 'help' || arg?.startsWith('-');
  const [name, ...args] = isOption(terminal.args[0]) ? terminal.args.slice(1) : terminal.args;
  if (name === undefined) {
    const help = helpOfAll(actions, program);
    if (!asksForHelp) refuse(help.trimEnd(), 2);
    stdout.write(help);
    return;
  }
  const listed = actions.get(name) ?? refuse(unknownCommand(name, { actions, program }), 2);
  const own = programOf(listed.action);
  if (own !== program) refuse(`${name} is a command of ${commandOf(own)}`, 2);
  if (asksForHelp) {
    stdout.write(helpOf(listed.action));
    return;
  }
  if (listed.action.effect === 'local') {
    writeAnswer(stdout, await runAction(null, listed, { ...terminal, args }));
    return;
  }
  const shop = await openShop(readConfig(environment), 'api');
  try {
    await checkStage(shop.db, shop.config.APP_ENV);
    writeAnswer(stdout, await runAction(shop, listed, { ...terminal, args }));
  } finally {
    await shop.close();
  }
}

/** Long output is written while it is produced, and then there is no answer to print. */
function writeAnswer(stdout: Writable, answer: unknown): void {
  if (answer !== undefined) stdout.write(`${JSON.stringify(answer, undefined, 2)}\n`);
}

/** Performs an action with the arguments behind its name; without a shop only a local one. */
export async function runAction(
  shop: Shop | null,
  { action }: Pick<ListedAction, 'action'>,
  { args, stdin, stdout, stderr }: Omit<Terminal, 'environment'>,
): Promise<unknown> {
  const line = await readCommandLine(action, { args, stdin });
  const output: ActionOutput = {
    note: (text) => void stderr.write(`${text}\n`),
    print: async (text) => {
      if (!stdout.write(text)) await once(stdout, 'drain');
    },
  };
  const { by: name, secondPerson, ...request } = line;
  const actor = {
    name,
    via: 'shell' as const,
    permissions: 'all' as const,
    secondPerson,
    hasSteppedUp: false,
  };
  try {
    return await performAction(shop, action, { actor, request, output });
  } catch (error) {
    if (error instanceof UnusableFields) return refuseFields(action, line, error);
    throw error;
  }
}

function unknownCommand(
  command: string,
  { actions, program }: { actions: ReadonlyMap<string, ListedAction>; program: Program },
): string {
  const own = [...actions].filter(([, { action }]) => programOf(action) === program);
  const nearest = nearestNames(
    command,
    own.map(([name]) => name),
  );
  const hint = nearest.length === 0 ? '' : ` The nearest: ${nearest.join(', ')}.`;
  return `There is no command ${command}.${hint} All of them: ${commandOf(program)} help`;
}

/** The message for expected errors. Any other error is a bug and keeps its stack trace. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof AppError) return new Refusal(error.message);
  if (error instanceof UnusableConfig || error instanceof OtherStage)
    return new Refusal(error.message, 2);
  if (isUnreachable(error)) {
    return new Refusal("The shop's database cannot be reached. Is DATABASE_URL right?", 2);
  }
  throw error;
}
