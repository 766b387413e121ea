import type { Argument, Expression, Node, PrivateIdentifier } from 'oxc-parser';
import { lineAt, parseSource, walk, type Source } from '../source.ts';

/** A test or describe block by the words it begins with. */
export type NamedTest = Readonly<{
  path: string;
  line: number;
  /** Undefined where only running the file would tell it. */
  name: string | undefined;
  /** Names of the describe blocks around it that can be read. */
  within: readonly string[];
}>;

const blocks: ReadonlySet<string> = new Set(['test', 'it', 'describe', 'suite']);
/** Called, these give a function that takes the name; they take none themselves. */
const preludes: ReadonlySet<string> = new Set(['each', 'for', 'skipIf', 'runIf', 'extend', 'override', 'scoped']);
/** Hooks of the same object; no test. */
const hooks: ReadonlySet<string> = new Set([
  'beforeEach',
  'beforeAll',
  'afterEach',
  'afterAll',
  'aroundEach',
  'aroundAll',
]);
/** A test that never runs checks nothing. */
const dormant: ReadonlySet<string> = new Set(['skip', 'todo']);

/** Every test and describe block of a file that runs, `test.each(…)('…')` and its kin included. */
export function readTests({ path, text, program }: Source): readonly NamedTest[] {
  const found: NamedTest[] = [];
  const nameOf = new Map<Node, string>();
  walk(program, (node, parents) => {
    if (node.type !== 'CallExpression') return 'enter';
    const called = chainOf(node.callee);
    if (!called || !blocks.has(called.root)) return 'enter';
    if (called.path.some((word) => dormant.has(word))) return 'leave';
    const last = node.callee.type === 'MemberExpression' ? called.path.at(-1) : undefined;
    if (last !== undefined && (preludes.has(last) || hooks.has(last))) return 'enter';
    const name = beginningOf(node.arguments[0]);
    if (name !== undefined) nameOf.set(node, name);
    const within = parents.flatMap((parent) => nameOf.get(parent) ?? []);
    found.push({ path, line: lineAt(text, node.start), name, within });
    return 'enter';
  });
  return found;
}

/** `test.skipIf(x).each(y)` is root `test`, path `skipIf`, `each`. */
function chainOf(node: Node): Readonly<{ root: string; path: readonly string[] }> | undefined {
  if (node.type === 'Identifier') return { root: node.name, path: [] };
  if (node.type === 'CallExpression') return chainOf(node.callee);
  if (node.type === 'TaggedTemplateExpression') return chainOf(node.tag);
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return undefined;
  const chain = chainOf(node.object);
  return chain && { root: chain.root, path: [...chain.path, node.property.name] };
}

function beginningOf(node: Argument | Expression | PrivateIdentifier | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type === 'BinaryExpression') return node.operator === '+' ? beginningOf(node.left) : undefined;
  if (node?.type !== 'TemplateLiteral') return undefined;
  const words = node.quasis[0]?.value.cooked ?? '';
  // A number that an expression cuts off is not the whole number.
  return node.expressions.length > 0 && !/\s/.test(words) ? undefined : words;
}

/** A test as pages and tables name it: `test/a.test.ts`, or one of a package, “a part of its name”. */
export type QuotedTest = Readonly<{ path: string; name: string }>;

export function quotedTests(text: string): readonly QuotedTest[] {
  return [...text.matchAll(/`(?<path>(?:packages|test)\/[^`]+)` “(?<name>[^”]+)”/g)].map(({ groups }) => ({
    path: groups?.['path'] ?? '',
    name: groups?.['name'] ?? '',
  }));
}

/** Whether such a test is in its file, and runs. `read` gives the text of a file, or undefined where there is none. */
export function isThere({ path, name }: QuotedTest, read: (path: string) => string | undefined): boolean {
  const text = read(path);
  return text !== undefined && readTests(parseSource(path, text)).some((one) => one.name?.includes(name) === true);
}
