import {
  isScalar,
  LineCounter,
  parseAllDocuments,
  type Document,
  type Tags,
  type YAMLError,
  isAlias,
  isMap,
  isPair,
  isSeq,
  visit,
  type Node,
} from 'yaml';
import type { ConfigProblem, ConfigReading, ConfigWarning, KeyPath } from '../../domain/config/config-remark.ts';

/** One mistake breaks the rest of the file too, so later errors say nothing new. */
const syntaxProblems = 3;

type Parsed =
  | Readonly<{ ok: true; document: Document.Parsed; lines: LineCounter; written: unknown }>
  | Readonly<{ ok: false; problems: readonly ConfigProblem[] }>;

const nothingWritten: Parsed = {
  ok: false,
  problems: [{ path: [], found: 'an empty file', wanted: 'a mapping of keys and values' }],
};

/**
 * Reads a configuration from YAML text. `read` gets the plain value, and each of its remarks gets the line that it is about. A syntax
 * error, a key that stands twice and a second document are problems too.
 */
export function readYamlConfig<Config>(
  text: string,
  read: (written: unknown) => ConfigReading<Config>,
): ConfigReading<Config> {
  const reading = readPlaced(text, read);
  const template = reading.ok ? undefined : templateProblem(text);
  return template === undefined ? reading : { ok: false, problems: [template], warnings: [] };
}

function readPlaced<Config>(text: string, read: (written: unknown) => ConfigReading<Config>): ConfigReading<Config> {
  const parsed = parse(text);
  if (!parsed.ok) return { ok: false, problems: parsed.problems, warnings: [] };

  const { document, lines } = parsed;
  const place = <Remark extends ConfigProblem | ConfigWarning>(remarks: readonly Remark[]) =>
    remarks
      .map((remark) => at(remark.line ?? lineOf(remark.path, document, lines), remark))
      .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));

  const reading = read(parsed.written);
  const warnings = place([...document.warnings.map((warning) => libraryWarning(warning)), ...reading.warnings]);
  const problems = [...repeatedKeys(document, lines), ...(reading.ok ? [] : reading.problems)];
  return reading.ok && problems.length === 0
    ? { ...reading, warnings }
    : { ok: false, problems: place(problems), warnings };
}

function parse(text: string): Parsed {
  const lines = new LineCounter();
  try {
    // Go's watchdog reads YAML 1.1 (SPEC 2.1), even where a %YAML line says otherwise.
    const documents = parseAllDocuments(text, {
      version: '1.1',
      schema: 'yaml-1.1',
      customTags: withoutSurprises,
      lineCounter: lines,
      logLevel: 'error',
      // The library would not say which key it is.
      uniqueKeys: false,
    });
    const [document, ...others] = documents;
    if (document === undefined) return nothingWritten;
    const second = others.find(({ contents }) => !isNothing(contents));
    if (document.errors.length > 0)
      return { ok: false, problems: document.errors.slice(0, syntaxProblems).map(syntaxProblem) };
    if (second !== undefined) return { ok: false, problems: [secondDocument(lines.linePos(second.range[0]).line)] };
    return { ok: true, document, lines, written: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    // The library throws at aliases that multiply without end, and runs out of stack on nesting without end.
    const found = `YAML that cannot be read: ${error instanceof Error ? plain(error.message) : String(error)}`;
    return { ok: false, problems: [{ path: [], found, wanted: 'a plain mapping of keys and values' }] };
  }
}

/** Without times, sets and bytes, which Go's parser would not read here either: `1:30` is a text, not the number 90. */
function withoutSurprises(tags: Tags): Tags {
  const unwanted = ['binary', 'omap', 'pairs', 'set', 'timestamp'];
  return tags.filter((tag) => {
    if (typeof tag === 'string') return !unwanted.includes(tag) && tag !== 'intTime' && tag !== 'floatTime';
    return !unwanted.some((name) => tag.tag.endsWith(`:${name}`)) && !('format' in tag && tag.format === 'TIME');
  });
}

function isNothing(contents: unknown): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
}

function syntaxProblem({ message, linePos }: YAMLError): ConfigProblem {
  const column = linePos === undefined ? '' : `, at column ${linePos[0].col}`;
  return at(linePos?.[0].line, { path: [], found: plain(message) + column, wanted: 'YAML that can be parsed' });
}

function libraryWarning({ message, linePos }: YAMLError): ConfigWarning {
  return at(linePos?.[0].line, { path: [], text: `is odd YAML: ${plain(message)}` });
}

/** To YAML a template is a mapping within a mapping, and what is said of that helps nobody. */
function templateProblem(text: string): ConfigProblem | undefined {
  const line = text.split('\n').findIndex((one) => /^[^#]*\{\{.*\}\}/.test(one)) + 1;
  if (line === 0) return undefined;
  return { path: [], found: 'a template, with {{ … }}', wanted: 'what comes out when it is rendered', line };
}

function secondDocument(line: number): ConfigProblem {
  return { path: [], found: 'more than one YAML document', wanted: 'one document: nothing after a line ---', line };
}

/** The library appends the place and the source text, which we report in another way. Its message for endless nesting says nothing. */
function plain(message: string): string {
  if (/call stack|stack overflow/i.test(message)) return 'nesting that is too deep';
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}

function at<Remark extends object>(line: number | undefined, remark: Remark): Remark {
  return line === undefined ? remark : { ...remark, line };
}

/** The line of the key; where the key is missing, that of the deepest mapping around it. Of keys that differ only in case, the one with the same spelling counts. */
function lineOf(path: KeyPath, document: Document.Parsed, lines: LineCounter): number | undefined {
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
function repeatedKeys(document: Document.Parsed, lines: LineCounter): ConfigProblem[] {
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
