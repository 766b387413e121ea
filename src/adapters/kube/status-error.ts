import { textAt, numberAt } from '../../domain/value-at.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import { operatorLine } from '../words/operator-line.ts';
import { KubeError, type Precondition } from './kube-error.ts';

/**
 * An answer that is no 2xx, as KubeError of kind `status` (SPEC 4.5 for `retryAfter`). `body` is a Status object where
 * Kubernetes itself answers; a proxy before it answers with anything.
 */
export function statusError(
  asked: string,
  answer: Readonly<{ status: number; retryAfter: string | undefined; body: string }>,
  now: Instant,
): KubeError {
  const { status, body } = answer;
  const told = parsed(body);
  const reason = textAt(told, 'reason');
  const message = operatorLine(textAt(told, 'message') || (told === undefined ? body : ''));
  const retrySeconds = numberAt(told, 'details', 'retryAfterSeconds');
  return new KubeError(
    'status',
    `${asked} was answered ${[status, reason].join(' ').trim()}${message === '' ? '' : `: ${message}`}`,
    {
      status,
      reason,
      retryAfter:
        readRetryAfter(answer.retryAfter, now) ?? (retrySeconds === undefined ? undefined : retrySeconds * 1_000),
      precondition: status === 409 ? preconditionIn(textAt(told, 'message')) : undefined,
    },
  );
}

/**
 * A Status says it in its message alone; both ways in which Kubernetes words it. In full, since what is shown of it ends
 * where the object has a long name.
 */
function preconditionIn(message: string): Precondition | undefined {
  return /\bUID in (the )?precondition\b/.test(message) ? 'uid' : undefined;
}

function parsed(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // Not Kubernetes' own answer: its words are shown as they are.
    return undefined;
  }
}

/** Reads a Retry-After header (SPEC 4.5): seconds, or an HTTP date; undefined where it is missing or neither. */
export function readRetryAfter(header: string | undefined, now: Instant): Millis | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // Only what looks like a date: Date.parse reads a year into almost anything.
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
