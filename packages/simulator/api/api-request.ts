import type { IncomingMessage } from 'node:http';
import type { ResourceKind } from '../store/resource-kind.ts';
import { managerName } from '../store/managed-fields.ts';
import { ApiRefusal } from '../store/api-refusal.ts';
import { bodyOf } from './reply.ts';
import type { Body } from './resource-answer.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

/** A request as the API server understands it. */
export type ApiRequest = Readonly<{
  verb: Verb;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  /** The query without `?`, written anew. */
  queryText: string;
  /** Undefined for `/version`, discovery, and what is not served. */
  kind: ResourceKind | undefined;
  /** `status`, `scale`, or empty. */
  subresource: string;
  /** Empty: all of them, or none. */
  namespace: string;
  name: string;
  /** The client would rather have a Table, as kubectl does when it prints for people. */
  asTable: boolean;
  /** The name of whoever writes, as the request gives it. */
  manager: string;
}>;

const resourcePath =
  /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>[^/]+)\/(?:namespaces\/(?<namespace>[^/]+)\/)?(?<plural>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<subresource>[^/]+))?)?$/;

const asTable = /^\s*application\/json\s*;.*\bas=Table\b/;

/** Of the namespaces themselves: `namespaces/x/status` is no resource called `status` within `x`. */
const namespacePath = /^\/api\/v1\/namespaces\/(?<name>[^/]+)\/(?<subresource>status|finalize)$/;

/** What a URL says by itself. Nobody changes its query. */
type Target = Pick<ApiRequest, 'path' | 'query' | 'queryText'> &
  Readonly<{ kindKey: string; part: (key: 'name' | 'namespace' | 'subresource') => string }>;

/** Probes ask for the same few URLs all day. Watches do not, so it begins anew when it is full. */
const targets = new Map<string, Target>();
const mostTargets = 1_000;

/** Reads the head of a request. `served` are the kinds by `group/version/plural`. */
export function readApiRequest(
  {
    method = 'GET',
    url = '/',
    headers,
  }: Pick<IncomingMessage, 'method' | 'url'> &
    Readonly<{ headers: Readonly<{ accept?: string | undefined; 'user-agent'?: string | undefined }> }>,
  served: ReadonlyMap<string, ResourceKind>,
): ApiRequest {
  const { path, query, queryText, kindKey, part } = targetOf(url);
  const kind = served.get(kindKey);
  const name = kind === undefined ? '' : part('name');
  return {
    verb: verbOf(method, kind === undefined || name !== '', query.get('watch')),
    path,
    query,
    queryText,
    kind,
    subresource: kind === undefined ? '' : part('subresource'),
    namespace: kind === undefined ? '' : part('namespace'),
    name,
    manager: managerName(query.get('fieldManager'), headers['user-agent']),
    asTable: headers.accept?.split(',').some((type) => asTable.test(type)) === true,
  };
}

function targetOf(url: string): Target {
  const known = targets.get(url);
  if (known !== undefined) return known;
  const read = readTarget(url);
  if (targets.size >= mostTargets) targets.clear();
  targets.set(url, read);
  return read;
}

function readTarget(url: string): Target {
  const [path = '/', search = ''] = url.split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const ofNamespace = namespacePath.exec(path)?.groups;
  const groups =
    ofNamespace === undefined
      ? (resourcePath.exec(path)?.groups ?? {})
      : { ...ofNamespace, version: 'v1', plural: 'namespaces' };
  const part = (key: string): string => {
    const text = groups[key] ?? '';
    return text.includes('%') ? decodeURIComponent(text) : text;
  };
  return {
    path,
    query,
    queryText: query.toString(),
    kindKey: `${part('group')}/${part('version')}/${part('plural')}`,
    part,
  };
}

function verbOf(method: string, isOne: boolean, watch: string | null): Verb {
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return 'delete';
    default:
      if (isOne) return 'get';
      return watch === 'true' || watch === '1' ? 'watch' : 'list';
  }
}

/** As the real server's. */
const largestBody = 3 * 1024 * 1024;

/** A request's body as JSON; `content` is undefined where there is none. Throws ApiRefusal. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > largestBody) {
      const message = `Request entity too large: limit is ${largestBody}`;
      throw new ApiRefusal({ code: 413, reason: 'RequestEntityTooLarge', message });
    }
    chunks.push(chunk as Buffer);
  }
  return bodyOf(request.headers['content-type'], Buffer.concat(chunks).toString('utf8'));
}
