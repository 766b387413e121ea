import { textAt, numberAt } from '../../domain/value-at.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import { operatorLine } from '../words/secrets.ts';
import { KubeError, type Precondition } from './kube-error.ts';
import { certificateFaultWords, errnoWords, errorCode } from '../words/errno-words.ts';
import { errorWords } from '../words/plain-words.ts';

/**
 * Makes a KubeError of kind `status` from an answer that is no 2xx (SPEC 4.5 for `retryAfter`). `body` is a Status object where
 * Kubernetes itself answers; a proxy in front of it may answer anything. `hint`: what we know better than the server's own words.
 */
export function statusError(
  asked: string,
  answer: Readonly<{ status: number; retryAfter: string | undefined; body: string; hint?: string }>,
  now: Instant,
): KubeError {
  const { status, body } = answer;
  const answered = parsed(body);
  const reason = textAt(answered, 'reason');
  const message = operatorLine(textAt(answered, 'message') || (answered === undefined ? body : ''));
  const retrySeconds = numberAt(answered, 'details', 'retryAfterSeconds');
  const code = [status, reason].join(' ').trim();
  const said = message === '' ? code : `${code}: ${message}`;
  return new KubeError('status', `${asked} was answered ${said}`, {
    why: answer.hint ? `${code}: ${answer.hint}` : said,
    status,
    reason,
    retryAfter:
      readRetryAfter(answer.retryAfter, now) ?? (retrySeconds === undefined ? undefined : retrySeconds * 1_000),
    next: status === 410 ? textAt(answered, 'metadata', 'continue') : undefined,
    precondition: status === 409 ? preconditionIn(textAt(answered, 'message')) : undefined,
  });
}

/**
 * A Status says this in its message alone, and Kubernetes words it in two ways. The full message is read, since the shortened one
 * lacks its end where the object has a long name.
 */
function preconditionIn(message: string): Precondition | undefined {
  return /\bUID in (the )?precondition\b/.test(message) ? 'uid' : undefined;
}

function parsed(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // This is not Kubernetes' own answer: its text is shown as it is.
    return undefined;
  }
}

/** Reads a Retry-After header (SPEC 4.5): seconds, or an HTTP date; undefined where it is missing or neither. */
export function readRetryAfter(header: string | undefined, now: Instant): Millis | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // Only a text that looks like a date is parsed: Date.parse finds a year in almost anything.
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** The codes with which OpenSSL and Node say that a certificate did not verify. */
const certificateCodes = new RegExp(
  `^(${[
    'CERT_.*',
    'CRL_.*',
    'UNABLE_TO_(GET|DECRYPT|DECODE|VERIFY)_.*',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'ERROR_IN_CERT_.*',
    'INVALID_(CA|PURPOSE)',
    'PATH_LENGTH_EXCEEDED',
    'HOSTNAME_MISMATCH',
    'ERR_TLS_CERT_.*',
    'UNSPECIFIED: .*',
  ].join('|')})$`,
);

const timeoutCodes = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT|ESOCKETTIMEDOUT)$/;

/** The answer is no HTTP, or breaks its rules. */
const garbledCodes = /^(HPE_.*|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_EXCEEDED_MAX_SIZE)$/;

/** How an error of undici, TLS or sockets is told. `kind`: of the KubeError that it becomes. */
type Failure = Readonly<{ kind: 'timeout' | 'certificate' | 'garbled' | 'unreachable'; why: string }>;

/**
 * Turns the errors of undici, TLS and sockets into a KubeError, in this one place. `asked` begins the sentence: a verb and its
 * object. A KubeError is returned as it is.
 */
export function transportError(asked: string, error: unknown): KubeError {
  if (error instanceof KubeError) return error;
  const { kind, why } = failureOf(error);
  return new KubeError(kind, `${asked} failed: ${why}`, { why, cause: error });
}

/** The code with which the certificate did not verify; undefined for every other error. */
export function certificateCode(error: unknown): string | undefined {
  return [...codesOf(error)].find((code) => kindOf(code) === 'certificate');
}

function failureOf(error: unknown): Failure {
  const codes = [...codesOf(error)];
  // The address family that failed first must not hide the error of the other one, nor a wrapper what it wraps.
  const code = codes.find((one) => kindOf(one) !== 'unreachable') ?? codes.find(errnoWords) ?? codes[0];
  if (code === undefined) return { kind: 'unreachable', why: `the connection failed (${errorWords(error)})` };
  const kind = kindOf(code);
  const detail = kind === 'certificate' ? certificateFaultWords(code) : code;
  return { kind, why: errnoWords(code) ?? `${words[kind]} (${detail})` };
}

const words = {
  timeout: 'timed out',
  certificate: "the server's certificate does not verify",
  garbled: 'the answer is no HTTP',
  unreachable: 'the connection failed',
} as const satisfies Record<Failure['kind'], string>;

function kindOf(code: string): Failure['kind'] {
  if (certificateCodes.test(code)) return 'certificate';
  if (timeoutCodes.test(code)) return 'timeout';
  if (garbledCodes.test(code)) return 'garbled';
  return 'unreachable';
}

/** Outermost first. The attempts on several addresses stand side by side in an AggregateError. The depth is bounded, since causes may go in circles. */
function* codesOf(error: unknown, depth = 0): Iterable<string> {
  if (!(error instanceof Error) || depth > 5) return;
  const code = errorCode(error);
  if (code !== undefined) yield code;
  // This error of undici sometimes has no code.
  else if (error.name === 'HTTPParserError') yield error.name;
  if (error instanceof AggregateError) for (const attempt of error.errors) yield* codesOf(attempt, depth + 1);
  yield* codesOf(error.cause, depth + 1);
}

/** Parses the text of an answer. Throws KubeError where it is no JSON. */
export function parseJson(asked: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new KubeError('garbled', `${asked} was answered with what is no JSON`, {
      why: 'the answer is no JSON',
      cause: error,
    });
  }
}

export function tooLarge(asked: string, limit: number): KubeError {
  const why = `the answer is longer than ${limit} bytes`;
  return new KubeError('garbled', `${asked} was answered with more than ${limit} bytes`, { why, reason: 'TooLarge' });
}
