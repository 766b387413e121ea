import { ApiRefusal, badRequest, expired } from '../store/api-refusal.ts';
import type { ApiRequest } from './api-request.ts';
import { firstNotBefore, type Revision } from '../store/revision.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { Storage } from '../store/object-writes.ts';
import { apiVersionOf, type ResourceKind } from '../store/resource-kind.ts';
import { selectionOf } from './selection.ts';
import { tableAnswer } from './table.ts';

/** Where a list continues: after the key `after`, as it was at `resourceVersion`; -1 means as it is now. */
type Continuation = Readonly<{ resourceVersion: number; after: string }>;

const expiredPage =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** The JSON of a List: whole, or a page of it that is consistent with the first one. */
export function listAnswer({ store, clock }: Storage, kind: ResourceKind, ask: ApiRequest): string {
  const { narrowed, selects } = selectionOf(kind, ask);
  const goOn = readContinuation(ask.query.get('continue'));
  const limit = Math.min(readLimit(ask.query.get('limit')), store.forgetfulPages ?? Infinity);
  const resourceVersion = versionToShow(store, ask, goOn);
  const isForgotten = store.forgetfulPages !== undefined && (goOn?.resourceVersion ?? -1) >= 0;
  const everything = isForgotten ? undefined : store.of(kind).listAt(resourceVersion, ask.namespace);
  if (everything === undefined) {
    if (goOn === undefined) throw expired('The resourceVersion for the provided list is too old.');
    throw expired(expiredPage, writeContinuation({ resourceVersion: -1, after: goOn.after }));
  }
  const rest =
    goOn === undefined ? everything : everything.slice(firstNotBefore(everything.map(keyOf), `${goOn.after}\0`));
  const page = pageOf(rest, narrowed ? selects : () => true, limit);
  const last = page.at(-1);
  // Like etcd: objects that the selectors drop count too, so the last page may be empty.
  const remaining = limit === 0 || last === undefined || page.length < limit ? 0 : rest.length - rest.indexOf(last) - 1;
  const metadata = {
    resourceVersion: String(resourceVersion),
    ...(remaining === 0 || last === undefined
      ? {}
      : { continue: writeContinuation({ resourceVersion, after: last.key }) }),
    ...(remaining === 0 || narrowed ? {} : { remainingItemCount: remaining }),
  };
  if (ask.asTable) return tableAnswer(kind, page, metadata, clock.now());
  const head = JSON.stringify({ kind: `${kind.kind}List`, apiVersion: apiVersionOf(kind), metadata });
  // Items of the built-in kinds do not repeat what the list says.
  const said = kind.custom === true ? 0 : JSON.stringify({ kind: kind.kind, apiVersion: apiVersionOf(kind) }).length;
  const items = page.map(({ json }) => (said === 0 ? json : `{${json.slice(said)}`));
  return `${head.slice(0, -1)},"items":[${items.join(',')}]}\n`;
}

function pageOf(
  all: readonly Revision[],
  selects: (revision: Revision) => boolean,
  limit: number,
): readonly Revision[] {
  if (limit === 0) return all.filter(selects);
  const page: Revision[] = [];
  for (const revision of all) {
    if (page.length === limit) break;
    if (selects(revision)) page.push(revision);
  }
  return page;
}

function versionToShow(store: ObjectStore, { query }: ApiRequest, goOn: Continuation | undefined): number {
  const current = store.resourceVersion;
  if (goOn !== undefined && (query.get('resourceVersion') ?? '') !== '') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  if (goOn !== undefined && goOn.resourceVersion < 0) return current;
  const asked = goOn?.resourceVersion ?? readVersion(query.get('resourceVersion'));
  // A page may be of a history that a restored seed has left.
  if (asked > current) throw tooLarge(asked, current);
  if (goOn !== undefined) return asked;
  return query.get('resourceVersionMatch') === 'Exact' ? asked : current;
}

/** 0 where none is given. Refuses anything that is no resourceVersion with 400. */
export function readVersion(text: string | null): number {
  if (text === null || text === '') return 0;
  if (!/^\d+$/.test(text))
    throw badRequest(`invalid resource version: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function readLimit(text: string | null): number {
  if (text === null || text === '') return 0;
  if (!/^\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function readContinuation(token: string | null): Continuation | undefined {
  if (token === null || token === '') return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    const { rv, start } = read as Readonly<Record<string, unknown>>;
    if (typeof rv === 'number' && typeof start === 'string') return { resourceVersion: rv, after: start };
  } catch {
    // Falls through: every token that is not ours gets the same refusal.
  }
  throw badRequest('invalid continue token: continue key is not valid');
}

function writeContinuation({ resourceVersion, after }: Continuation): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: resourceVersion, start: after })).toString('base64url');
}

function keyOf({ key }: Revision): string {
  return key;
}

function tooLarge(asked: number, current: number): ApiRefusal {
  return new ApiRefusal({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
}
