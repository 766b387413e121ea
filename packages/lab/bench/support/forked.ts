import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import process from 'node:process';

type Order = Readonly<{ name: string; args: readonly never[] }>;

/** What this process does for the one that forked it, by name. */
export function serve(commands: Readonly<Record<string, (...args: never[]) => unknown>>): void {
  const obey = async ({ name, args }: Order): Promise<void> => {
    // A message must be something, and a command may answer nothing.
    process.send?.({ answer: await commands[name]?.(...args) });
  };
  process.on('message', (order: Order) => void obey(order));
  // Our parent process is gone.
  process.on('disconnect', () => process.exit());
  process.send?.({ answer: Object.keys(commands) });
}

/** The commands of a process that we forked; it ends when it is disposed of. */
export type Forked<Commands> = Disposable & {
  readonly [Name in keyof Commands]: Commands[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never;
};

/** Resolves once the process, whose file is beside this one, takes orders. It takes one at a time. */
export async function forked<Commands>(
  file: string,
  args: readonly string[] = [],
  execArgv: readonly string[] = [],
): Promise<Forked<Commands>> {
  // Instants that did not come are Infinity, which JSON cannot say.
  const serialization = 'advanced';
  const child = fork(join(import.meta.dirname, file), args, { execArgv: [...execArgv], serialization });
  const answer = async (): Promise<unknown> => {
    const ended = new AbortController();
    const gone = (): void => ended.abort(new Error(`${basename(file)} has ended`));
    child.once('exit', gone);
    const [told] = (await once(child, 'message', { signal: ended.signal })) as [Readonly<{ answer: unknown }>];
    child.off('exit', gone);
    return told.answer;
  };
  const names = (await answer()) as readonly string[];
  const commands = names.map((name) => [
    name,
    (...given: readonly unknown[]) => {
      child.send({ name, args: given });
      return answer();
    },
  ]);
  const dispose = { [Symbol.dispose]: () => void child.kill('SIGKILL') };
  return Object.assign(dispose, Object.fromEntries(commands)) as Forked<Commands>;
}
