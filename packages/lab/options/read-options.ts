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

/** The whole number that an option was given. Throws a sentence for the operator where it is none, or less than `least`. */
export function countOption(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new Error(
      `--${name} must be a whole number${least === -Infinity ? '' : `, at least ${least}`}; found ${JSON.stringify(text)}`,
    );
  return value;
}

/** The name that an option was given. Throws a sentence for the operator where it is none of these. */
export function oneOfOption<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const name = names.find((one) => one === text);
  if (name === undefined)
    throw new Error(`--${option} must be one of ${names.join(', ')}; found ${JSON.stringify(text)}`);
  return name;
}
