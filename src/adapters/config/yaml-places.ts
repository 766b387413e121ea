import { isAlias, isMap, isPair, isScalar, isSeq, visit, type Document, type LineCounter, type Node } from 'yaml';
import type { ConfigProblem, KeyPath } from '../../domain/config/config-remark.ts';

/** The line of the key; where the key is missing, that of the deepest mapping around it. Of keys that differ only in case, the one with the same spelling counts. */
export function lineOf(path: KeyPath, document: Document.Parsed, lines: LineCounter): number | undefined {
  let node: unknown = document.contents;
  let start: number | undefined;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    const found = child(node, step);
    if (found === undefined) break;
    start = startOf(found.place) ?? start;
    node = found.value;
  }
  return start === undefined ? undefined : lines.linePos(start).line;
}

/** Keys that stand twice in one mapping, with the same spelling. */
export function repeatedKeys(document: Document.Parsed, lines: LineCounter): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  visit(document, {
    Map(_, mapping, ancestors) {
      const seen = new Set<string>();
      for (const { key } of mapping.items) {
        const name = nameOf(key);
        if (name === undefined || name === '<<') continue;
        const start = startOf(key);
        if (seen.has(name) && start !== undefined) {
          const path = [...pathTo([...ancestors, mapping]), name];
          problems.push({ path, found: 'the key twice', wanted: 'the key once', line: lines.linePos(start).line });
        }
        seen.add(name);
      }
    },
  });
  return problems;
}

function child(node: unknown, step: string | number): Readonly<{ place: unknown; value: unknown }> | undefined {
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step];
    return item === undefined ? undefined : { place: item, value: item };
  }
  if (!isMap(node)) return undefined;
  const named = node.items.filter(({ key }) => nameOf(key)?.toLowerCase() === String(step).toLowerCase());
  const pair = named.find(({ key }) => nameOf(key) === String(step)) ?? named[0];
  return pair === undefined ? undefined : { place: pair.key, value: pair.value };
}

/** `nodes` begin with the outermost one; each lies within the one before it. */
function pathTo(nodes: readonly unknown[]): KeyPath {
  return nodes.flatMap((node, depth): KeyPath => {
    if (isPair(node)) return [nameOf(node.key) ?? ''];
    return isSeq(node) ? [node.items.indexOf(nodes[depth + 1])] : [];
  });
}

function nameOf(key: unknown): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

function startOf(node: unknown): number | undefined {
  return (node as Partial<Node> | null)?.range?.[0];
}
