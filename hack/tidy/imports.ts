import { dirname, join } from 'node:path/posix';
import type { ImportDeclarationSpecifier, Node } from 'oxc-parser';
import { lineAt, walk, type Source } from '../source.ts';

/** One module that a file reaches for, by whatever syntax. */
export type Import = Readonly<{
  /** As written. */
  specifier: string;
  /** Relative to the checkout (`src/domain/time.ts`) for a file of ours, however it is named; else as written. */
  target: string;
  line: number;
  /** Nothing of it is left once the types are stripped. */
  typeOnly: boolean;
  /** Names that are taken as values; `*` for all of them. */
  names: readonly string[];
  reExports: boolean;
}>;

/** `import`, `export … from`, `import()`, and `import('…').Type` in a type. Comments and texts that look like one are none. */
export function importsOf({ path, text, program }: Source): readonly Import[] {
  const found: Import[] = [];
  walk(program, (node) => {
    const reached = reachedBy(node);
    if (!reached) return 'enter';
    const { specifier } = reached;
    const target = specifier.startsWith('.') ? join(dirname(path), specifier) : ourOwn(specifier);
    found.push({ ...reached, target, line: lineAt(text, node.start) });
    return 'enter';
  });
  return found;
}

/** A workspace is imported by its name: the names of package.json, and where they are. */
function ourOwn(specifier: string): string {
  return specifier.replace(/^dependency-watchdog\//, 'src/').replace(/^@dwd\//, 'packages/');
}

function reachedBy(node: Node): Omit<Import, 'target' | 'line'> | undefined {
  if (node.type === 'ImportDeclaration') {
    const values = node.specifiers.filter((each) => each.type !== 'ImportSpecifier' || each.importKind !== 'type');
    const typeOnly = node.importKind === 'type' || (node.specifiers.length > 0 && values.length === 0);
    return { specifier: node.source.value, typeOnly, names: typeOnly ? [] : values.map(nameTaken), reExports: false };
  }
  if ((node.type === 'ExportNamedDeclaration' && node.source) || node.type === 'ExportAllDeclaration')
    return { specifier: node.source?.value ?? '', typeOnly: node.exportKind === 'type', names: ['*'], reExports: true };
  if (node.type === 'ImportExpression') {
    const specifier = node.source.type === 'Literal' ? String(node.source.value) : '(computed)';
    return { specifier, typeOnly: false, names: ['*'], reExports: false };
  }
  if (node.type === 'TSImportType')
    return { specifier: node.source.value, typeOnly: true, names: [], reExports: false };
  return undefined;
}

function nameTaken(specifier: ImportDeclarationSpecifier): string {
  if (specifier.type !== 'ImportSpecifier') return '*';
  return specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value;
}

type Package = Readonly<{ name: string; exports: Readonly<Record<string, string>> }>;

/** What a package offers, and none of these files imports by its name: `dependency-watchdog/domain/*`. */
export function deadExports({ name, exports }: Package, sources: readonly Source[]): readonly string[] {
  const taken = sources.flatMap((source) => importsOf(source).map(({ specifier }) => specifier));
  const offered = Object.keys(exports).map((key) => name + key.slice(1));
  return offered.filter(
    (key) => !taken.some((one) => one === key || (key.endsWith('*') && one.startsWith(key.slice(0, -1)))),
  );
}
