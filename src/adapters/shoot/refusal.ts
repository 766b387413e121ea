import type { IncomingMessage } from 'node:http';
import type { Instant } from '../../domain/time.ts';
import { textAt } from '../../domain/value-at.ts';
import { operatorLine } from '../words/operator-line.ts';
import { ProbeFailed } from './probe-failed.ts';
import { readRetryAfter } from '../retry-after.ts';

/**
 * What an answer outside 2xx means (SPEC 4.5, 4.7, 4.9). `body` is as much of it as was read; of that no more than the reason and
 * the message of a Status is repeated, cleaned of whatever `token` it may echo.
 */
export function refusal(answer: IncomingMessage, body: string, now: Instant, token: string): ProbeFailed {
  const status = answer.statusCode ?? 0;
  const detail = [`HTTP ${status}`, meaningOf(status), operatorLine(statusText(body), token)]
    .filter((part) => part !== '')
    .join(', ');
  switch (status) {
    case 401:
    case 403:
      return new ProbeFailed({ reason: 'unauthorized', detail }, { status });
    case 429: {
      const retryAfter = readRetryAfter(answer.headers['retry-after'], now);
      return new ProbeFailed(
        { reason: 'throttled', detail, ...(retryAfter === undefined ? {} : { retryAfter }) },
        { status },
      );
    }
    default:
      return new ProbeFailed({ reason: 'refused', detail }, { status });
  }
}

function meaningOf(status: number): string {
  return status >= 300 && status < 400 ? 'a redirect, which is not followed' : '';
}

function statusText(body: string): string {
  try {
    const status: unknown = JSON.parse(body);
    return [textAt(status, 'reason'), textAt(status, 'message')].filter((part) => part !== '').join(': ');
  } catch {
    // A proxy's page, or half a Status: the number says enough.
    return '';
  }
}
