import type { Node } from 'oxc-parser';
import { lineAt, walk, type Source } from '../source.ts';

/** A text for people, and where it begins. */
type Prose = Readonly<{ path: string; line: number; text: string }>;

type Retired = Readonly<{
  /** Where it stands in a text: what matches it is refused. */
  word: RegExp;
  /** The word of docs/glossary.md to be said instead. */
  say: string;
  /** Files in which it means something else. */
  unless?: RegExp;
}>;

/** Those who break a network heal it: they, and the pages that tell of them. `healing` is a lane of the seed's client, too; pages name it as code. */
const playsNetworks =
  /^(?:packages\/simulator\/|src\/adapters\/(?:kube|seed|seed-client|record\/metrics)\/|docs\/(?:simulator|soak|testing|performance|specification|glossary)\.md$|README\.md$|CHANGELOG\.md$)/;

const retired: readonly Retired[] = [
  { word: /(?<!`)\bheal(?:s|ed|ing)?\b(?!`)/i, say: '"connected again" or "brought back"', unless: playsNetworks },
  { word: /\bdown in part\b/i, say: '"partly scaled down"' },
  { word: /\bbefall(?:s|en)?\b|\bbefell\b/i, say: '"happens to" or "strikes"' },
  { word: /\bgoing down\b/i, say: '"scaling down"' },
  { word: /(?<!scaled )\bdown by others\b/i, say: '"scaled down by others"' },
  { word: /(?<!scaled )\bdown and not answering\b/i, say: '"scaled down and not answering"' },
  { word: /\bwatchdog's hand\b/i, say: '"by the watchdog"' },
  // A turn is replayed; a seed may well take writes again.
  { word: /\bturns?\b[^.;]{0,30}\btaken again\b/i, say: '"replayed"' },
  { word: /\btak(?:e|es|ing) (?:\S+ ){0,3}turns? (?:\S+ ){0,4}again\b/i, say: '"replay"' },
  { word: /\b\d+ protected\b|\bprotected, cut off\b|\bno shoot (?:of this seed )?is protected\b/i, say: '"watched"' },
];

/** Where a retired word stands, and what to say instead: `docs/x.md:3 says "down in part": say "partly scaled down"`. */
export function retiredWords(prose: readonly Prose[]): readonly string[] {
  return prose.flatMap(({ path, line, text }) =>
    retired.flatMap(({ word, say, unless }) => {
      const [found] = word.exec(text) ?? [];
      return found === undefined || unless?.test(path) === true ? [] : [`${path}:${line} says "${found}": say ${say}`];
    }),
  );
}

/** The lines of a page, or of a file of alerts or dashboards. */
export function proseLines({ path, text }: Readonly<{ path: string; text: string }>): readonly Prose[] {
  return text.split('\n').map((line, index) => ({ path, line: index + 1, text: line }));
}

/** What a source says: its texts, without those that are names of types, properties or modules. */
export function proseTexts({ path, text, program }: Source): readonly Prose[] {
  const prose: Prose[] = [];
  walk(program, (node, parents) => {
    if (node.type === 'ImportDeclaration' || node.type === 'TSLiteralType') return 'leave';
    const said = saidBy(node, parents.at(-1));
    if (said !== undefined) prose.push({ path, line: lineAt(text, node.start), text: said });
    return 'enter';
  });
  return prose;
}

function saidBy(node: Node, parent: Node | undefined): string | undefined {
  if (node.type === 'TemplateElement') return node.value.cooked ?? node.value.raw;
  if (node.type === 'JSXText') return node.value;
  if (node.type !== 'Literal' || typeof node.value !== 'string') return undefined;
  return parent?.type === 'SwitchCase' ? undefined : node.value;
}
