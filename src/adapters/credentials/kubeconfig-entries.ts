import { parse } from 'yaml';
import { showValue } from '../../domain/config/config-remark.ts';
import { listAt, numberAt, textAt, valueAt } from '../../domain/value-at.ts';

/** A cluster or a user of a kubeconfig. */
export type Entry = Readonly<{
  /** For the operator: `context "seed", user "admin"`. */
  place: string;
  /** The file that it comes from; paths in it are relative to that one's directory. */
  file: string;
  fields: unknown;
}>;

/** What the current context names. */
export type CurrentEntries = Readonly<{ cluster: Entry; user: Entry }>;

type Part = Readonly<{ file: string; document: unknown }>;

/**
 * Finds what the current context names, or the one that was `asked` for. Where several files name the same thing, the first one wins, as with kubectl.
 * Throws an Error whose message says which part is missing, and what there is instead. It quotes names only, no secret.
 */
export function currentEntries(
  files: readonly Readonly<{ file: string; text: string }>[],
  asked?: string,
): CurrentEntries {
  const parts = files.map(({ file, text }) => ({ file, document: documentOf(file, text, files.length > 1) }));
  if (parts.every(({ document }) => document === undefined))
    throw new Error(parts.length === 1 ? 'the file is empty' : 'the files are empty');

  const name = asked ?? parts.map(({ document }) => textAt(document, 'current-context')).find((found) => found !== '');
  if (name === undefined) {
    const remedy = '"kubectl config use-context NAME" sets one';
    throw new Error(`current-context is missing; ${remedy} (${namesOf(parts, 'contexts')})`);
  }
  const context = find(parts, 'contexts', name);
  if (context === undefined)
    throw new Error(
      `${asked === undefined ? 'current-context' : '--context'} is "${name}", which is not in contexts (${namesOf(parts, 'contexts')})`,
    );

  const named = (kind: 'cluster' | 'user'): Entry => {
    const place = `context "${name}"`;
    const wanted = textAt(context.value, 'context', kind);
    if (wanted === '') throw new Error(`${place} names no ${kind}`);
    const entry = find(parts, `${kind}s`, wanted);
    if (entry === undefined)
      throw new Error(
        `${place} names the ${kind} "${wanted}", which is not in ${kind}s (${namesOf(parts, `${kind}s`)})`,
      );
    return { place: `${place}, ${kind} "${wanted}"`, file: entry.file, fields: valueAt(entry.value, kind) };
  };
  return { cluster: named('cluster'), user: named('user') };
}

/** A text of an entry; empty where it is left out. Throws where it is something else, which would otherwise be ignored. */
export function textOf({ place, fields }: Entry, ...path: readonly string[]): string {
  const value = valueAt(fields, ...path);
  if (value === undefined || value === null || typeof value === 'string') return value ?? '';
  throw new Error(`${place}, ${path.join('.')} must be a text; put it in quotes`);
}

/** Go writes a setting that is left out as null. */
export function isSet({ fields }: Entry, key: string): boolean {
  const value = valueAt(fields, key);
  return value !== undefined && value !== null;
}

/** Undefined where the file is empty. A YAML parser quotes the lines that it cannot read, with the tokens in them (SPEC 9.4): only the place is said. */
function documentOf(file: string, text: string, isOneOfMany: boolean): unknown {
  const subject = isOneOfMany ? file : 'it';
  let document: unknown;
  try {
    document = parse(text, { logLevel: 'error' });
  } catch (error) {
    const line = numberAt(error, 'linePos', '0', 'line');
    // The cause contains the quotation.
    // oxlint-disable-next-line preserve-caught-error
    throw new Error(`${subject} is not YAML${line === undefined ? '' : `: there is an error at line ${line}`}`);
  }
  if (document === null || document === undefined) return undefined;
  const kind = textAt(document, 'kind');
  if (kind !== '' && kind !== 'Config')
    throw new Error(`${subject} is not a kubeconfig: found kind ${kind}, expected Config`);
  const known = ['clusters', 'contexts', 'users', 'current-context'];
  if (known.some((key) => valueAt(document, key) !== undefined)) return document;
  const found = typeof document === 'object' ? showValue(document) : 'a text';
  throw new Error(
    `${subject} is not a kubeconfig: found ${found}, expected clusters, users, contexts and current-context`,
  );
}

function find(
  parts: readonly Part[],
  list: string,
  name: string,
): Readonly<{ file: string; value: unknown }> | undefined {
  for (const part of parts) {
    const value = listAt(part.document, list).find((entry) => textAt(entry, 'name') === name);
    if (value !== undefined) return { file: part.file, value };
  }
  return undefined;
}

/** `found "a" and "b"`: more than a few would hide the sentence. */
function namesOf(parts: readonly Part[], list: string): string {
  const names = [
    ...new Set(parts.flatMap((part) => listAt(part.document, list).map((entry) => textAt(entry, 'name')))),
  ];
  const shown = names.slice(0, 5).map((name) => `"${name}"`);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `found ${names.length === 0 ? 'none' : shown.join(', ')}${more}`;
}
