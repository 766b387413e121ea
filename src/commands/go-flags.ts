import { nearest } from '../domain/nearest.ts';
import { wrongCommandLine, type Refusal } from './command.ts';
import { commandHelp } from './command-help.ts';
import type { Flag } from './flag.ts';
import { readGoBool } from './go-values.ts';

/** What a command of a seed's shoots takes beside its flags. */
const shootOperand = '[SHOOT]';

/** What hands that know kubectl write, and what does the same here. */
const kubectlHabits: Readonly<Record<string, string>> = {
  A: 'without a name all shoots are looked at',
  'all-namespaces': 'without a name all shoots are looked at',
  n: 'name the shoot alone, as in shoot--project--name',
  namespace: 'name the shoot alone, as in shoot--project--name',
};

/** Flags by the names of their values: `configFile` is given as `--config-file`. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;

export type FlagValues<Declared extends Flags> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Flag<infer Value> ? Value : never;
};

/** A readable command line. `given` are the flags that stand on it, `operands` what is no flag. */
type ParsedFlags<Declared extends Flags> = Readonly<{
  ok: true;
  values: FlagValues<Declared>;
  given: ReadonlySet<keyof Declared>;
  operands: readonly string[];
}>;

/** A flag by each of its names, without dashes; `key` is that of its value. */
type NamedFlags = ReadonlyMap<string, Readonly<{ key: string; flag: Flag<unknown> }>>;

export type FlagSet<Declared extends Flags> = Readonly<{
  parse(args: readonly string[]): ParsedFlags<Declared> | Refusal;
  named: NamedFlags;
  operands: string | undefined;
}>;

/**
 * Reads flags as Go's `flag` package does (SPEC 1.2): one dash or two, `--x=v` or `--x v`, booleans bare or `=true`, the
 * last one wins unless all count, `--` ends them. `operands` names what else a command takes: `FILE…` one or more, `FILE` exactly one, `[SHOOT]` none or one. They and
 * flags may stand in any order; without operands the first other argument is wrong. The first thing that cannot be read ends it with a line that names it;
 * `-h` and `--help` answer with the help text.
 *
 *     const flags = flagSet('simulate', { shoots: intFlag({ default: 5, help: '…' }) });
 *     const parsed = flags.parse(args);
 *     if (!parsed.ok) return refuse(parsed, io);
 *     parsed.values.shoots satisfies number;
 */
export function flagSet<Declared extends Flags>(
  command: string,
  declared: Declared,
  { operands }: Readonly<{ operands?: string }> = {},
): FlagSet<Declared> {
  const primary = new Map(Object.entries(declared).map(([key, flag]) => [dashed(key), { key, flag }]));
  const byName: NamedFlags = new Map(
    [...primary].flatMap(([name, one]) => [name, ...(one.flag.also ?? [])].map((each) => [each, one])),
  );
  const wrong = (message: string) => wrongCommandLine(command, message);

  function parse(args: readonly string[]): ParsedFlags<Declared> | Refusal {
    const values = new Map<string, unknown>(Object.entries(declared).map(([key, flag]) => [key, flag.initial]));
    const given = new Set<string>();
    const rest: string[] = [];
    let lastBare: string | undefined;

    for (let next = 0; next < args.length; next++) {
      const argument = args[next] ?? '';
      if (argument === '--' || (operands === undefined && !isFlag(argument))) {
        rest.push(...args.slice(argument === '--' ? next + 1 : next));
        break;
      }
      if (!isFlag(argument)) {
        rest.push(argument);
        continue;
      }
      const [, name, inline] = namedIn(argument) ?? [];
      if (name === undefined) return wrong(`${JSON.stringify(argument)} is not a flag`);

      const known = byName.get(name);
      if (known === undefined && (name === 'h' || name === 'help')) {
        return { ok: false, help: true, message: commandHelp(command, primary, operands) };
      }
      const written = `${name.length === 1 ? '-' : '--'}${name}`;
      if (known === undefined) return wrong(`unknown flag ${written}${hint(name)}`);

      const isBool = known.flag.placeholder === undefined;
      const text = inline ?? (isBool ? 'true' : args[++next]);
      if (text === undefined) return wrong(`${written} needs a value, as in ${written}=${known.flag.placeholder}`);
      const reading = known.flag.read(text);
      if (!reading.ok) return wrong(`${written} ${reading.because}; found ${found(text, reading.hint)}`);
      const { join } = known.flag;
      values.set(known.key, join === undefined ? reading.value : join(values.get(known.key), reading.value));
      given.add(known.key);
      lastBare = isBool && inline === undefined ? name : undefined;
    }

    const stray = rest[operands === undefined ? 0 : operands.endsWith('…') ? Infinity : 1];
    if (stray !== undefined) return wrong(unexpected(stray, given, rest.length === 1 ? lastBare : undefined));
    if (operands !== undefined && !operands.startsWith('[') && rest.length === 0)
      return wrong(`${operands} is missing`);
    for (const [name, { key, flag }] of primary) {
      if (flag.required === true && !given.has(key)) return wrong(`--${name}=${flag.placeholder} is missing`);
    }
    return {
      ok: true,
      values: Object.fromEntries(values) as FlagValues<Declared>,
      given,
      operands: rest,
    };
  }

  /** The name and the value that stand in one argument. kubectl takes `-ojson` for `-o json`; a longer name comes first, as Go has those with one dash too. */
  function namedIn(argument: string): readonly (string | undefined)[] | null {
    const whole = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(argument);
    const [, letter = '', value = ''] = /^-([^-=])(.+)$/s.exec(argument) ?? [];
    const short = byName.get(letter)?.flag;
    if (short?.placeholder === undefined || byName.has(whole?.[1] ?? '')) return whole;
    return [argument, letter, value.replace(/^=/, '')];
  }

  function unexpected(argument: string, given: ReadonlySet<string>, lastBare: string | undefined): string {
    const stray = `unexpected argument ${JSON.stringify(argument)}`;
    if (lastBare !== undefined && readGoBool(argument).ok) return `${stray}; write --${lastBare}=${argument}`;
    if (operands !== undefined) return `${stray}: one ${operands.replaceAll(/[[\]]/g, '')} at most`;
    if (argument === 'help') return `${stray}; write --help`;
    const [word = ''] = argument.split('=');
    const file = [...byName].find(([, { flag }]) => flag.placeholder === 'FILE');
    const isPath = /[./]/.test(argument) || argument === '-';
    if (!isPath || hint(word) !== '' || file === undefined || given.has(file[1].key)) return stray + hint(word);
    return `${stray}; write --${file[0]}=${argument}`;
  }

  function hint(word: string): string {
    if (operands === shootOperand && Object.hasOwn(kubectlHabits, word)) return `; ${kubectlHabits[word]}`;
    const closest = nearest(word, byName.keys());
    return closest === undefined ? '' : `; did you mean --${closest}?`;
  }

  return { parse, named: primary, operands };
}

function isFlag(argument: string): boolean {
  return argument.startsWith('-') && argument !== '-';
}

function found(text: string, hint: string | undefined): string {
  return hint === undefined ? JSON.stringify(text) : `${JSON.stringify(text)}: ${hint}`;
}

/** `kubeApiQps` is `kube-api-qps` on the command line. */
export function dashed(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
