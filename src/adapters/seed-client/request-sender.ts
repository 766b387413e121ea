import type { Dispatcher } from 'undici';
import type { Instant } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import type { KubeRequest, WritePermission } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import { readRetryAfter, statusError } from '../kube/status-error.ts';
import { certificateCode } from '../kube/transport-error.ts';
import { readBody } from '../reading/read-stream.ts';
import type { RequestCut } from './request-cut.ts';
import { wordsOf, type RequestName } from './request-name.ts';
import type { SeedConnection, Wire } from './seed-connection.ts';
import type { Refusal } from './slowdown.ts';
import { UrgentPatience } from './urgent-patience.ts';

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

/** Sends requests that were admitted, over connections that are not known to be dead, and reads the heads of their answers. */
export class RequestSender {
  readonly #options: SenderOptions;
  readonly #patience = new UrgentPatience();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Returns the head of a 2xx; its body is not read yet. Throws KubeError for every other status. */
  async open(
    request: KubeRequest,
    name: RequestName,
    cut: RequestCut,
    over: (wire: Wire) => Dispatcher,
  ): Promise<Dispatcher.ResponseData> {
    const { connection, userAgent, clock } = this.#options;
    const { method, path, query, body, contentType = 'application/json' } = request;
    const wire = await cut.race(connection.wire());
    const way: Way = { over: over(wire), askedAt: clock.now(), at: 'unsent' };
    if (request.lane === 'urgent') this.#hurry(way, name, cut);
    const dispatcher = lookBeforeSending(way.over, () => {
      this.#refuseUnlessAllowed(request, name);
      way.at = 'sent';
    });
    const asked = dispatcher
      .request({
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
        signal: cut.signal,
      })
      .catch((error: unknown) => this.#explain(error, name));
    const answer = await cut.race(asked);
    cut.heard();
    way.at = 'answered';
    this.#patience.answered(wordsOf(name), clock.now() - way.askedAt);
    const { statusCode: status, headers } = answer;
    if (status >= 200 && status < 300) return answer;
    if (status === 401) connection.distrust();
    const hint = status === 401 ? connection.whyRefused() : '';
    const retryAfter = [headers['retry-after']].flat()[0];
    if (status === 429) {
      this.#options.onRequestThrottled({ askedAt: way.askedAt, retryAfter: readRetryAfter(retryAfter, clock.now()) });
    }
    const { text } = await cut.race(readBody(cut.hearing(answer.body), largestRefusal));
    throw statusError(wordsOf(name), { status, retryAfter, body: text, hint }, clock.now());
  }

  async #explain(error: unknown, name: RequestName): Promise<never> {
    const code = certificateCode(error);
    if (code === undefined) throw error;
    const why = await this.#options.connection.whyUntrusted(code);
    throw new KubeError('certificate', `${wordsOf(name)} failed: ${why}`, { why, cause: error });
  }

  /** An urgent request does not wait for a dead connection, and neither do the requests after it (SPEC 6.11). */
  #hurry(way: Way, name: RequestName, cut: RequestCut): void {
    const asked = wordsOf(name);
    const silence = this.#patience.silence(asked);
    if (silence !== undefined) cut.allowSilence(silence);
    cut.onTimeUp = () => {
      this.#options.connection.replace(way.over, way.askedAt);
      if (way.at === 'sent') this.#patience.sentInVain(asked, way.over);
    };
  }

  #refuseUnlessAllowed({ method, withdrawn }: KubeRequest, name: RequestName): void {
    if (withdrawn?.aborted) throw new KubeError('withdrawn', `${wordsOf(name)} was not sent: withdrawn`);
    const { permission } = this.#options;
    if (method !== 'GET' && (permission.ended.aborted || !permission.granted())) {
      throw new KubeError('withdrawn', `${wordsOf(name)} was not sent: this process may not write`);
    }
  }
}

/**
 * Returns a dispatcher that calls `look` in the very moment before a request is written to its connection. Where `look` throws, the
 * request is not sent. A connection may take seconds to open, or the process may have stood still, so the result of an earlier
 * look might not be true any more.
 */
function lookBeforeSending(dispatcher: Dispatcher, look: () => void): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart: (controller, context) => {
          look();
          handler.onRequestStart?.(controller, context);
        },
        onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
        onResponseStart: (...args) => handler.onResponseStart?.(...args),
        onResponseData: (...args) => handler.onResponseData?.(...args),
        onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
        onResponseError: (...args) => handler.onResponseError?.(...args),
      }),
  );
}
