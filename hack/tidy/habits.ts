import { lineAt, walk, type Source } from '../source.ts';
import { guestsOf, type GuestKind } from './guests.ts';
import { importsOf } from './imports.ts';
import { roomOf } from './rooms.ts';

/** A habit of the house: what is wrong in a file, one line each that begins with its place. */
export type Habit = (source: Source) => readonly string[];

const clocks = /^(?:src\/adapters\/clock\/[^/]*clock[^/]*|packages\/inspector\/page\/browser-clock)\.ts$/;
const chance = 'src/adapters/clock/chance.ts';

/** domain, machines and what the inspector says are functions of what they are given. */
export const pureRooms: Habit = (source) =>
  /^(?:src\/(?:domain|machines)|packages\/inspector\/model)\//.test(source.path)
    ? guests(source, () => true, 'is not pure')
    : [];

/** Time may run faster than the wall clock, so only a Clock may ask that one. */
export const clocksTellTime: Habit = (source) =>
  clocks.test(source.path) ? [] : guests(source, (kind) => kind === 'clock' || kind === 'timer', 'belongs to a clock');

/** A run from a seed number can be repeated only if nothing else is random. */
export const chanceIsInjected: Habit = (source) =>
  source.path === chance ? [] : guests(source, (_, what) => what.startsWith('Math'), `belongs to ${chance}`);

/** `createTestModel` refuses them, a restored snapshot loses them, a replay does not see them. */
export const machinesStayExplorable: Habit = (source) => {
  if (roomOf(source.path) !== 'machines') return [];
  const actors = /^(?:createActor|interpret|waitFor|toPromise|from(?:Promise|Callback|Observable|EventObservable))$/;
  const found = importsOf(source)
    .filter(({ names }) => names.some((name) => actors.test(name)))
    .map(({ line }) => `${source.path}:${line} machines run no actors`);
  walk(source.program, (node) => {
    if (node.type === 'Property' && node.key.type === 'Identifier' && /^(?:invoke|after)$/.test(node.key.name))
      found.push(`${source.path}:${lineAt(source.text, node.start)} machines have no ${node.key.name}`);
    return 'enter';
  });
  return found;
};

/** One name for one thing, in one place. */
export const noDefaultExports: Habit = ({ path, text, program }) =>
  program.body.flatMap((node) => {
    const isDefault =
      node.type === 'ExportDefaultDeclaration' ||
      (node.type === 'ExportNamedDeclaration' &&
        node.specifiers.some(({ exported }) => exported.type === 'Identifier' && exported.name === 'default'));
    return isDefault ? [`${path}:${lineAt(text, node.start)} exports a default`] : [];
  });

/** A thing is imported from the file that defines it. */
export const noBarrels: Habit = (source) => {
  const { path, text, program } = source;
  const taken = new Set(
    program.body.flatMap((node) =>
      node.type === 'ImportDeclaration' ? node.specifiers.map(({ local }) => local.name) : [],
    ),
  );
  const passedOn = program.body.flatMap((node) =>
    node.type === 'ExportNamedDeclaration' && !node.source
      ? node.specifiers.filter(({ local }) => local.type === 'Identifier' && taken.has(local.name))
      : [],
  );
  return [
    ...importsOf(source).filter(({ reExports }) => reExports),
    ...passedOn.map(({ start }) => ({ line: lineAt(text, start) })),
  ].map(({ line }) => `${path}:${line} passes on what is another file's`);
};

/** Node strips types, it does not guess endings. */
export const importsEndInTs: Habit = (source) =>
  importsOf(source)
    .filter(({ specifier }) => specifier.startsWith('.') && !/\.(?:tsx?|json)$/.test(specifier))
    .map(({ line, specifier }) => `${source.path}:${line} '${specifier}' does not end in .ts`);

/** A reader holds so much at once and not more. */
export const filesAreShort: Habit = ({ path, text }) => {
  const lines = text.trimEnd().split('\n').length;
  return lines > 250 ? [`${path} has ${lines} lines, more than 250`] : [];
};

/** An open task names who will do it: `TODO(name)`. */
export const looseEndsHaveOwners: Habit = ({ path, text, comments }) =>
  comments
    .filter(({ value }) => /\b(?:TODO|FIXME|XXX|HACK)\b(?!\([\w .-]+\))/.test(value))
    .map(({ start }) => `${path}:${lineAt(text, start)} leaves something undone that is nobody's`);

/** A mock agrees with whoever wrote it; the embedded seed and the fakes in test/support are held to contracts. */
export const noMocks: Habit = ({ path, text, program }) => {
  const found: string[] = [];
  walk(program, (node) => {
    if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.property.type !== 'Identifier')
      return 'enter';
    if (
      node.object.name === 'vi' &&
      /^(?:fn|(?:do)?[mM]ock(?:Object)?|spyOn|useFakeTimers|stubGlobal)$/.test(node.property.name)
    )
      found.push(`${path}:${lineAt(text, node.start)} uses vi.${node.property.name}`);
    return 'enter';
  });
  return found;
};

function guests(source: Source, wrong: (kind: GuestKind, what: string) => boolean, because: string): readonly string[] {
  return guestsOf(source)
    .filter(({ kind, what }) => wrong(kind, what))
    .map(({ what, line }) => `${source.path}:${line} ${what} ${because}`);
}
