import { textAt, numberAt } from '../../domain/value-at.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import { operatorLine } from '../words/secrets.ts';
import { KubeError, type Precondition } from './kube-error.ts';

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
