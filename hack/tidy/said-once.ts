import { join } from 'node:path';
import type { Node } from 'oxc-parser';
import { API, type NodeHandle, type Project, type Symbol as TypeSymbol } from 'typescript/unstable/sync';
import type { BindingName, Node as TypedNode, PropertyName } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isBindingElement,
  isIdentifier,
  isPropertyAccessExpression,
  isTypeAliasDeclaration,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { lineAt, walk, type Source } from '../source.ts';

/** A fact that is put into words in one room. Its type is told by where the fields of it are declared. */
type Fact = Readonly<{
  what: string;
  declared: readonly (readonly [path: string, type: string])[];
  fields: readonly string[];
}>;

const language = 'src/machines/shoot-language.ts';

const facts: readonly Fact[] = [
  {
    what: 'a verdict',
    declared: [
      [language, 'LeaseCount'],
      [language, 'LeaseVerdictNote'],
      ['src/domain/prober/verdict.ts', 'Verdict'],
      ['src/domain/prober/prober-report.ts', 'LeasesReport'],
      ['packages/inspector/model/rows.ts', 'ShootRow'],
    ],
    fields: ['expired', 'candidates'],
  },
  { what: 'a verdict', declared: [['src/domain/prober/shoot-path.ts', 'PathCount']], fields: ['count', 'of'] },
  {
    what: 'a failure of a probe',
    declared: [['src/domain/prober/probe-failure.ts', 'ProbeFailure']],
    fields: ['stage', 'reason', 'detail'],
  },
  {
    what: 'a write',
    declared: [
      ['src/domain/prober/resource-view.ts', 'ResourceChange'],
      ['src/domain/prober/resource-view.ts', 'WriteAnswer'],
    ],
    fields: ['replicas', 'mark', 'record', 'detail'],
  },
  {
    what: 'a deletion',
    declared: [['src/domain/weeder/pod-ledger.ts', 'DeletionAnswer']],
    fields: ['reason', 'detail'],
  },
  {
    what: 'what a pod waits for',
    declared: [['src/domain/weeder/pod.ts', 'Waits']],
    fields: ['because', 'containers'],
  },
];

/** Tables from such a type to words are a second wording as well. */
const kinds = /^(?:StandingState|(?:Verdict|VerdictNote|LeaseVerdictNote)\['(?:kind|verdict)'\])$/;

/** Where a fact may be put into words. */
const words = /^src\/adapters\/record\/words\//;

/**
 * Places outside the words where such a field is put into a text: into a template, into what stands between two tags, or into the words for a count. The
 * compiler tells of which type a field is, whatever it is called there. `instead`: texts to be read in the place of these files.
 */
export function secondWordings(
  root: string,
  sources: readonly Source[],
  instead: Readonly<Record<string, string>> = {},
): readonly string[] {
  const api = new API({ cwd: root, fs: { readFile: (path) => instead[path.slice(root.length + 1)] } });
  try {
    const told = Map.groupBy(
      sources.filter(({ path }) => !words.test(path)),
      ({ path }) =>
        path.startsWith('packages/inspector/page/') ? 'packages/inspector/page/tsconfig.json' : 'tsconfig.json',
    );
    const openProjects = [...told.keys()].map((config) => join(root, config));
    const opened = api.updateSnapshot({ openProjects });
    return [...told].flatMap(([config, those]) => {
      const project = opened.getProject(join(root, config));
      if (project === undefined) throw new Error(`the compiler does not open ${config}`);
      return those.flatMap((source) => worded(source, project, root));
    });
  } finally {
    api.close();
  }
}

function worded(source: Source, project: Project, root: string): readonly string[] {
  const { path, text } = source;
  const { places, tables } = textsOf(source);
  const found = places.length === 0 ? [] : project.checker.getSymbolAtPosition(join(root, path), places);
  const second = places.flatMap((place, index) => {
    const what = found[index] === undefined ? undefined : factOf(found[index], project, root);
    return what === undefined ? [] : [`${path}:${lineAt(text, place)} words ${what}: let record/words do it`];
  });
  return [
    ...second,
    ...tables.map((place) => `${path}:${lineAt(text, place)} has words of its own for each kind of a fact`),
  ];
}

const names = new Set(facts.flatMap(({ fields }) => fields));

/** Where a text takes in what may be such a field, and tables of texts by a fact's kind. */
function textsOf({ program, text }: Source): Readonly<{ places: readonly number[]; tables: readonly number[] }> {
  const [places, tables]: [number[], number[]] = [[], []];
  walk(program, (node) => {
    if (node.type === 'TemplateLiteral') node.expressions.forEach((one) => take(one));
    if (node.type === 'BinaryExpression' && node.operator === '+') [node.left, node.right].forEach((one) => take(one));
    if (node.type === 'JSXExpressionContainer') take(node.expression);
    if (node.type === 'TSTypeReference' && isTable(node)) tables.push(node.start);
    return 'enter';
  });
  return { places, tables };

  function take(node: Node): void {
    if (node.type === 'Identifier') places.push(node.start);
    if (node.type === 'MemberExpression' && !node.computed && names.has(node.property.name))
      places.push(node.property.start);
    // `counted(candidates, 'lease')`. What else is called gets a figure to reckon with.
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'counted')
      node.arguments.forEach((one) => take(one));
    // `containers.join(', ')`, whatever stands in for an empty one.
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') take(node.callee.object);
    if (node.type === 'LogicalExpression' && node.operator !== '&&')
      [node.left, node.right].forEach((one) => take(one));
    if (node.type === 'ConditionalExpression') [node.consequent, node.alternate].forEach((one) => take(one));
  }

  function isTable(node: Extract<Node, { type: 'TSTypeReference' }>): boolean {
    const [key, value] = node.typeArguments?.params ?? [];
    return (
      node.typeName.type === 'Identifier' &&
      node.typeName.name === 'Record' &&
      value?.type === 'TSStringKeyword' &&
      key !== undefined &&
      kinds.test(text.slice(key.start, key.end))
    );
  }
}

/** Of which fact a name is a field: by itself, as it was taken out of an object, or under another name: `const old = leases.expired`. */
function factOf(symbol: TypeSymbol, project: Project, root: string): string | undefined {
  const { checker } = project;
  const local = symbol.valueDeclaration?.resolve();
  if (local !== undefined && isVariableDeclaration(local))
    return namesIn(local.initializer)
      .map((name) => checker.getSymbolAtLocation(name))
      .map((one) => one && factOf(one, project, root))
      .find((what) => what !== undefined);
  const isTaken = local !== undefined && isBindingElement(local);
  const from = isTaken ? checker.getTypeAtLocation(local.parent) : undefined;
  const name = isTaken ? nameIn(local.propertyName ?? local.name) : symbol.name;
  if (name === undefined || !names.has(name)) return undefined;
  const field = isTaken ? from && checker.getPropertyOfType(from, name) : symbol;
  const owners = (field?.declarations ?? []).map(ownerOf);
  return facts.find(
    ({ fields, declared }) =>
      fields.includes(name) && declared.some(([path, type]) => owners.includes(`${join(root, path)} ${type}`)),
  )?.what;
}

/** The names whose value this may be as it stands: of `a.expired ?? b`, `expired` and `b`. */
function namesIn(value: TypedNode | undefined): readonly TypedNode[] {
  if (value === undefined) return [];
  if (isIdentifier(value)) return [value];
  if (isPropertyAccessExpression(value)) return [value.name];
  if (!isBinaryExpression(value) || !/^(?:\?\?|\|\|)$/.test(value.operatorToken.getText())) return [];
  return [...namesIn(value.left), ...namesIn(value.right)];
}

function nameIn(node: PropertyName | BindingName | undefined): string | undefined {
  return node !== undefined && isIdentifier(node) ? node.text : undefined;
}

/** The type in whose declaration a field stands: `src/machines/shoot-language.ts LeaseCount`. */
function ownerOf(field: NodeHandle): string | undefined {
  for (let node = field.resolve(); node !== undefined; node = node.parent)
    if (isTypeAliasDeclaration(node)) return `${field.path} ${node.name.text}`;
  return undefined;
}
