import type { Dispatcher } from 'undici';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import type { KubeRequest, WritePermission } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import { readRetryAfter, statusError, certificateCode } from '../kube/request-failure.ts';
import { Exchange } from './exchange.ts';
import type { RequestCut } from './request-cut.ts';
import type { SeedConnection, Wire } from './seed-connection.ts';
import type { Refusal } from './rate.ts';

type SenderOptions = Readonly<{
  connection: SeedConnection;
  clock: Clock;
  userAgent: string;
  permission: WritePermission;
  onRequestThrottled: (refusal: Refusal) => void;
}>;

/** Bytes of a refusal. It needs few words, and the rest is not read. */
const largestRefusal = 65_536;

/** How far a request has come, and over which connections. */
type Way = { readonly over: Dispatcher; readonly askedAt: Instant; at: 'unsent' | 'sent' | 'answered' };

/** A request that was admitted. `words`: what is asked, for sentences. */
export type Admitted = Readonly<{ request: KubeRequest; name: RequestName; words: string; cut: RequestCut }>;

/** A 2xx. */
type Answer = Readonly<{ status: number; body: Exchange }>;

/** Returns the head of a 2xx; its body is not read yet. Throws KubeError for every other status. */
export type Open = (admitted: Admitted, over: (wire: Wire) => Dispatcher) => Promise<Answer>;

/** Sends requests that were admitted, over connections that are not known to be dead, and reads the heads of their answers. */
export function requestSender(options: SenderOptions): Open {
  const { connection, userAgent, clock, permission, onRequestThrottled } = options;
  const patience = urgentPatience();

  const explain = async (error: unknown, words: string): Promise<never> => {
    const code = certificateCode(error);
    if (code === undefined) throw error;
    const why = await connection.whyUntrusted(code);
    throw new KubeError('certificate', `${words} failed: ${why}`, { why, cause: error });
  };

  const dispatchOf = (request: KubeRequest, wire: Wire): Dispatcher.DispatchOptions => {
    const { method, path, query, body, contentType = 'application/json' } = request;
    return {
      origin: wire.origin,
      path: wire.basePath + path,
      ...(query === undefined ? {} : { query }),
      method,
      headers: {
        ...wire.headers,
        accept: 'application/json',
        'user-agent': userAgent,
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      // Otherwise undici closes the connection after each DELETE with a body, as one with a precondition has.
      reset: false,
    };
  };

  /** An urgent request does not wait for a dead connection, and neither do the requests after it (SPEC 6.11). */
  const hurry = (way: Way, { words, cut }: Admitted): void => {
    const silence = patience.silence(words);
    if (silence !== undefined) cut.allowSilence(silence);
    cut.onTimeUp = () => {
      connection.replace(way.over, way.askedAt);
      if (way.at === 'sent') patience.sentInVain(words, way.over);
    };
  };

  const refuseUnlessAllowed = ({ request: { method, withdrawn }, words }: Admitted): void => {
    if (withdrawn?.aborted) throw new KubeError('withdrawn', `${words} was not sent: withdrawn`);
    if (method !== 'GET' && (permission.ended.aborted || !permission.granted()))
      throw new KubeError('withdrawn', `${words} was not sent: this process may not write`);
  };

  return async (admitted, over) => {
    const { request, words, cut } = admitted;
    const found = connection.wire();
    const wire = found instanceof Promise ? await cut.race(found) : found;
    const way: Way = { over: over(wire), askedAt: clock.now(), at: 'unsent' };
    if (request.lane === 'urgent') hurry(way, admitted);
    const body = new Exchange(cut, () => {
      refuseUnlessAllowed(admitted);
      way.at = 'sent';
    });
    way.over.dispatch(dispatchOf(request, wire), body);
    const { status, headers } = await body.head.catch((error: unknown) => cut.race(explain(error, words)));
    cut.heard();
    way.at = 'answered';
    patience.answered(words, clock.now() - way.askedAt);
    if (status >= 200 && status < 300) return { status, body };
    if (status === 401) connection.distrust();
    const hint = status === 401 ? connection.whyRefused() : '';
    const retryAfter = [headers['retry-after']].flat()[0];
    if (status === 429)
      onRequestThrottled({ askedAt: way.askedAt, retryAfter: readRetryAfter(retryAfter, clock.now()) });
    const { text } = await body.text(largestRefusal);
    throw statusError(words, { status, retryAfter, body: text, hint }, clock.now());
  };
}

/**
 * After this silence an urgent request is sent again over another connection (SPEC 6.11). A healthy seed answers within
 * milliseconds, a busy one within a second. Over a connection that died without a word, an answer never comes.
 */
const firstSilence: Millis = 3_000;

/** After this many tries over as many connections, the server is not dead but slow. */
const mostInVain = 2;

/** Requests that are remembered, with a few hundred bytes each: two thirds of the dependants of a large seed. A forgotten one is only sent once more. */
const longestMemory = 1_000;

/**
 * How long an urgent request may wait in silence. Asking again does not make a slow server faster, above all while a webhook hangs.
 * So a request that was sent in vain over two connections gets its full time from then on, until it is answered quickly again.
 * `asked`: the words of the request, `patch deployments shoot--a--b/kube-controller-manager`.
 */
function urgentPatience() {
  const inVain = new Map<string, Readonly<{ tries: number; over: object }>>();
  return {
    /** Undefined where silence is no reason to give the connection up. */
    silence: (asked: string): Millis | undefined =>
      (inVain.get(asked)?.tries ?? 0) < mostInVain ? firstSilence : undefined,

    /** The request was sent, and nothing came back. `over` stands for the connections of that time, all of which may have died. */
    sentInVain(asked: string, over: object): void {
      const before = inVain.get(asked);
      if (before?.over === over) return;
      inVain.set(asked, { tries: (before?.tries ?? 0) + 1, over });
      const [oldest] = inVain.keys();
      if (inVain.size > longestMemory && oldest !== undefined) inVain.delete(oldest);
    },

    answered(asked: string, took: Millis): void {
      if (took < firstSilence) inVain.delete(asked);
    },
  };
}

/** A request as Kubernetes' RBAC rules name it: `patch` `deployments`, `get` `deployments/scale`. */
export type RequestName = Readonly<{
  verb: string;
  /** Plural, with the subresource. Where the path is no resource: `discovery`, or the first step of the path. */
  resource: string;
  namespace: string;
  name: string;
}>;

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** Reads verb and resource from a request, for metrics and for the text of errors (SPEC 9.2). */
export function nameRequest(method: string, path: string, query: Readonly<Record<string, string>> = {}): RequestName {
  const [root = '', ...steps] = path
    .split('/')
    .filter((step) => step !== '')
    .map(decoded);
  // `/api/v1/…` has no group, `/apis/GROUP/VERSION/…` has one.
  const rest = root === 'api' ? steps.slice(1) : root === 'apis' ? steps.slice(2) : [];
  if (rest.length === 0) {
    return {
      verb: verbs[method] ?? 'get',
      resource: root.startsWith('api') ? 'discovery' : root,
      namespace: '',
      name: '',
    };
  }
  // `namespaces` is itself the resource where only its name follows.
  const namespaced = rest[0] === 'namespaces' && rest.length > 2;
  const namespace = namespaced ? (rest[1] ?? '') : '';
  const [plural = '', name = '', ...subresource] = namespaced ? rest.slice(2) : rest;
  return { verb: verbOf(method, name, query), resource: [plural, ...subresource].join('/'), namespace, name };
}

/** `patch deployments shoot--a--b/kube-controller-manager`. */
export function wordsOf({ verb, resource, namespace, name }: RequestName): string {
  const object = [namespace, name].filter((part) => part !== '').join('/');
  return [verb, resource, object].filter((part) => part !== '').join(' ');
}

function verbOf(method: string, name: string, query: Readonly<Record<string, string>>): string {
  if (method !== 'GET') return verbs[method] ?? method;
  if (query['watch'] === 'true' || query['watch'] === '1') return 'watch';
  return name === '' ? 'list' : 'get';
}

function decoded(step: string): string {
  if (!step.includes('%')) return step;
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
