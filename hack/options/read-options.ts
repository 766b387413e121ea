import process from 'node:process';
import { parseArgs, type ParseArgsConfig } from 'node:util';

type Config = NonNullable<ParseArgsConfig['options']>;
type Values<Wanted extends Config> = ReturnType<typeof parseArgs<{ options: Wanted }>>['values'];

/** What somebody asked for; or that they asked for help; or a sentence that says what is wrong with their words. */
export type Asked<Options> = Options | 'help' | Readonly<{ wrong: string }>;

/** `read` throws a sentence for the operator where a value is wrong. */
export function readOptions<const Wanted extends Config, Options>(
  args: readonly string[],
  wanted: Wanted,
  read: (values: Values<Wanted>) => Options,
): Asked<Options> {
  try {
    const options = { ...wanted, help: { type: 'boolean', short: 'h', default: false } } as const;
    const { values } = parseArgs({ args: [...args], options, allowNegative: true });
    return (values as Readonly<{ help: boolean }>).help ? 'help' : read(values);
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}

/** Does what was asked for; else prints the usage, or says what is wrong and ends with 2. */
export async function playAsked<Options extends object>(
  asked: Asked<Options>,
  usage: string,
  play: (options: Options) => Promise<void>,
): Promise<void> {
  if (asked === 'help') process.stdout.write(usage);
  else if ('wrong' in asked) {
    process.stderr.write(`${asked.wrong}\n`);
    process.exitCode = 2;
  } else await play(asked);
}
