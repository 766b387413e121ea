import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { shortName } from 'dependency-watchdog/adapters/record/words/write-words.ts';
import { isTree } from 'dependency-watchdog/domain/value-at.ts';
import { samePlain } from '../../journal/machine-replay.ts';
import type { ContextChange, ContextValue } from './explanation.ts';

/** More would hide what matters. */
const mostChanges = 200;

/** Of one list: a thousand leases that were all renewed say the same. */
const mostOfList = 10;

/** A record or a server's answer may be long. */
const longestText = 200;

/** What a machine remembers after a turn and not before it, in the order of its fields; `leftOut` more there are. Instants stay instants. */
export function contextChanges(
  before: unknown,
  after: unknown,
): Readonly<{ changes: readonly ContextChange[]; leftOut: number }> {
  const changes: ContextChange[] = [];
  let leftOut = 0;

  function walk(path: string, name: string, one: unknown, other: unknown): void {
    if (samePlain(one, other) || (isAbsent(one) && isAbsent(other))) return;
    const [from, to] = [fieldsOf(one), fieldsOf(other)];
    if (
      (from ?? to) === undefined ||
      (from === undefined && !isNothing(one)) ||
      (to === undefined && !isNothing(other))
    ) {
      if (changes.length < mostChanges) changes.push({ path, before: valueOf(name, one), after: valueOf(name, other) });
      else leftOut += 1;
      return;
    }
    const ofList = Array.isArray(one) || Array.isArray(other);
    let changed = 0;
    for (const key of new Set([...(from?.keys() ?? []), ...(to?.keys() ?? [])])) {
      const [was, is] = [from?.get(key), to?.get(key)];
      if (samePlain(was, is)) continue;
      changed += 1;
      if (ofList && changed > mostOfList) leftOut += 1;
      else walk(ofList ? `${path}[${key}]` : joinedPath(path, key), key, was, is);
    }
  }

  walk('', '', before, after);
  return { changes, leftOut };
}

/** A field that is null says the same as one that is not there. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isNothing(value: unknown): boolean {
  return isAbsent(value) || (Array.isArray(value) && value.length === 0);
}

/** Fields of an object, and items of a list by what names them; undefined for what is shown as a whole. */
function fieldsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!isTree(value)) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  if (value.length === 0 || !value.every(isTree)) return undefined;
  const items = new Map<string, unknown>();
  for (const [index, item] of value.entries()) {
    const name = nameOf(item) ?? String(index);
    // A pod's successor may have its name.
    items.set(items.has(name) ? `${name}, ${index}` : name, item);
  }
  return items;
}

/** A lease is named by its node, a dependant by its key, a pod by its name. */
function nameOf(item: Readonly<Record<string, unknown>>): string | undefined {
  const { node, key, name, pod } = item;
  const found = [node, key, name, isTree(pod) ? pod['name'] : undefined].find((one) => typeof one === 'string');
  return typeof found === 'string' ? shortText(shortName(found)) : undefined;
}

function joinedPath(path: string, key: string): string {
  const named = shortText(key.includes('/') ? shortName(key) : key);
  return path === '' ? named : `${path}.${named}`;
}

const instantNames = /(?:At|Until|Since)$|^(?:until|since|at|latest|wanted|renewTime)$/;
const lengthNames = /(?:Millis|Duration|Interval|Delay|Timeout|Grace|Ahead)$|^(?:timeout|by)$/;

function valueOf(name: string, value: unknown): ContextValue {
  if (typeof value === 'number') {
    // The machine's way to say that it never was.
    if (instantNames.test(name)) return value === 0 ? { text: 'never' } : { text: '', at: value };
    return { text: lengthNames.test(name) ? seconds(value) : String(value) };
  }
  if (isAbsent(value)) return { text: 'nothing' };
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no' };
  if (typeof value === 'string') return { text: shortText(value) };
  if (Array.isArray(value)) return { text: value.length === 0 ? 'none' : listText(value) };
  return { text: shortText(JSON.stringify(value)) };
}

function listText(value: readonly unknown[]): string {
  const named = value
    .slice(0, mostOfList)
    .map((one) => (typeof one === 'string' ? shortName(one) : JSON.stringify(one)));
  const more = value.length - named.length;
  return shortText(named.join(', ')) + (more > 0 ? ` and ${more} more` : '');
}

function shortText(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
