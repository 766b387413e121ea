import { ApiRefusal, badRequest, internalError } from '../store/api-refusal.ts';
import { asObject } from '../store/kube-object.ts';
import type { Fault } from './faults.ts';
import type { Answer, Body } from './resource-answer.ts';

/** What a server says to one request, on a wire or in memory. Names of headers are in lower case. */
export type Reply = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: string }>;

const plainText = 'text/plain; charset=utf-8';

function replyOf(status: number, type: string, body: string, more: Reply['headers'] = {}): Reply {
  return { status, headers: { 'content-type': type, ...more }, body };
}

export function answerReply(answer: Answer): Reply {
  return 'json' in answer
    ? replyOf(answer.code, 'application/json', answer.json)
    : replyOf(answer.code, plainText, answer.text);
}

/** What a server says where answering a request threw this. */
export function refusalReply(error: unknown): Reply {
  const { code, status } = error instanceof ApiRefusal ? error : internalError(error);
  const { retryAfterSeconds } = asObject(status['details']);
  const wait = typeof retryAfterSeconds === 'number' ? { 'retry-after': String(retryAfterSeconds) } : {};
  return replyOf(code, 'application/json', `${JSON.stringify(status)}\n`, wait);
}

/** What a fault says in place of an answer; undefined where it is none, or one that only bytes on a wire can say. */
export function faultReply(fault: Fault): Reply | undefined {
  switch (fault.kind) {
    case 'throttle': {
      // As priority and fairness refuses: no Status, but a text.
      const wait = fault.retryAfterSeconds === null ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
      const more = { 'x-content-type-options': 'nosniff', ...wait, ...(fault.closes && { connection: 'close' }) };
      return replyOf(429, plainText, 'Too many requests, please try again later.\n', more);
    }
    case 'status': {
      const message = `an error on the server ("${fault.code}") has prevented the request from succeeding`;
      return refusalReply(new ApiRefusal({ code: fault.code, reason: 'InternalError', message }));
    }
    case 'garble': {
      if (fault.as === 'bytes') return undefined;
      const html = '<html><body>Sign in to the wireless network</body></html>';
      return replyOf(
        200,
        'application/json',
        fault.as === 'text' ? html : '{"items":{"metadata":[null,7]},"gitVersion":[]}',
      );
    }
    case 'redirect':
      return replyOf(302, plainText, '', { location: fault.to });
    case 'hang':
    case 'cut':
    case 'flood':
    case 'said':
      return undefined;
    default:
      return fault satisfies never;
  }
}

/** A request's body as JSON; `content` is undefined where there is none. Throws ApiRefusal. */
export function bodyOf(contentType = 'application/json', text = ''): Body {
  const type = contentType.split(';', 1)[0]?.trim() ?? '';
  if (text === '') return { type, content: undefined };
  try {
    return { type, content: JSON.parse(text) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw badRequest(`couldn't get version/kind; json parse error: ${why}`);
  }
}
