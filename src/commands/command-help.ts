import type { Flag } from './flag.ts';
import { commandWords, isCommand, type CommandName } from './usage.ts';
import { programName, textWidth, wrap } from './command.ts';

const indent = 2;
/** A longer flag gets a line of its own. */
const widestFlag = 40;
/** So much room a flag's words need beside it, or they go below. */
const leastRoom = 36;

/** The help text of one command: its call, what it does, how it is used, and each flag with its default. */
export function commandHelp(
  command: string,
  flags: ReadonlyMap<string, Readonly<{ flag: Flag<unknown> }>>,
  operands: string | undefined,
): string {
  const entries = [...flags].map(([name, { flag }]) => ({ name, flag }));
  const required = entries.filter(({ flag }) => flag.required === true).map(({ name, flag }) => signature(name, flag));
  const optional = entries.length > required.length ? ['[flags]'] : [];
  const call = [
    'Usage:',
    programName,
    command,
    ...required,
    ...optional,
    ...(operands === undefined ? [] : [operands]),
  ].join(' ');
  const words = isCommand(command) ? ['', ...wrap(commandWords[command].about), ...examplesHelp(command)] : [];
  const widths = entries.map(({ name, flag }) => signature(name, flag).length).filter((width) => width <= widestFlag);
  const beside = indent + Math.max(0, ...widths) + 2;
  const column = textWidth() - beside < leastRoom ? 3 * indent : beside;
  const lines = entries.flatMap(({ name, flag }) => flagHelp(name, flag, column));
  return [...wrap(call, 4, 0), ...words, ...(lines.length === 0 ? [] : ['', 'Flags', ...lines])].join('\n');
}

function examplesHelp(command: CommandName): readonly string[] {
  const examples = Object.entries(commandWords[command].examples);
  return [
    '',
    'Examples',
    ...examples.flatMap(([words, purpose]) => [
      ...wrap(`# ${purpose}`, indent),
      // As a shell takes it, too.
      wrap(`${programName} ${words}`, 3 * indent, indent, textWidth() - 2).join(' \\\n'),
    ]),
  ];
}

function flagHelp(name: string, flag: Flag<unknown>, column: number): readonly string[] {
  const left = `${' '.repeat(indent)}${signature(name, flag)}`;
  const right = flag.shownDefault === undefined ? flag.help : `${flag.help} (default ${flag.shownDefault})`;
  const [first = '', ...further] = wrap(right, column);
  return left.length + 2 > column ? [left, first, ...further] : [left.padEnd(column) + first.slice(column), ...further];
}

/** `-n, --namespace, --shoot=NAMESPACE`. */
function signature(name: string, { placeholder, also = [] }: Flag<unknown>): string {
  const names = [...also, name].toSorted((one, other) => one.length - other.length);
  const written = names.map((one) => (one.length === 1 ? `-${one}` : `--${one}`)).join(', ');
  return placeholder === undefined ? written : `${written}=${placeholder}`;
}
