import type { IncomingMessage } from 'node:http';
import type { Instant } from '../../domain/time.ts';
import { textAt } from '../../domain/value-at.ts';
import { garbled, ProbeFailed, tooLarge } from '../reading/probe-failed.ts';
import { certificateFaultWords, errnoWords, errorCode } from '../words/errno-words.ts';
import { operatorLine } from '../words/secrets.ts';
import { lookupsHang, unansweredLookups } from './joined-lookup.ts';
import { readRetryAfter } from '../kube/request-failure.ts';

/**
 * Turns an error of Node's HTTP or TLS into a ProbeFailed; a ProbeFailed is returned as it is. `unverified`: the certificate was
 * checked and refused; `skipped` says which authorities could not be read. `host` is named in the detail.
 */
export function connectionFailure(error: unknown, host: string, unverified: boolean, skipped?: string): ProbeFailed {
  if (error instanceof ProbeFailed) return error;
  const code = codeOf(error);
  if (unverified) {
    const beside = skipped === undefined ? '' : `; ${skipped}`;
    const detail = `the certificate of ${host} does not verify: ${certificateFaultWords(code)}${beside}`;
    return new ProbeFailed({ reason: 'certificate', detail }, { cause: error });
  }
  if (code === 'HPE_HEADER_OVERFLOW') return tooLarge(`${host} answered with headers beyond their limit`);
  if (code.startsWith('HPE_')) return garbled(`${host} answered what is no HTTP: ${code}`);
  const local = localFault(error);
  if (local !== undefined) {
    const detail = `this machine could not open a connection to ${host}: ${local}`;
    return new ProbeFailed({ reason: 'local', detail }, { cause: error });
  }
  const detail = `no connection to ${host}: ${errnoWords(code) ?? code}`;
  return new ProbeFailed(
    { reason: 'unreachable', detail, ...(turningAway.has(code) ? { turnedAway: true } : {}) },
    { cause: error },
  );
}

/** What the machine that was reached answers, by the code of the socket: nobody listens, or who served it broke off. */
const turningAway: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

const resolverIsOut = 'its resolver gives no answer';

/** What keeps this machine itself from opening a connection, by the code of the socket or of the look-up. */
const localFaults: ReadonlyMap<string, string> = new Map(
  Object.entries({
    EMFILE: 'too many files are open',
    ENFILE: 'too many files are open',
    ENOBUFS: 'no memory is left for connections',
    ENOMEM: 'no memory is left for connections',
    EAI_MEMORY: 'no memory is left for connections',
    EADDRNOTAVAIL: 'no port, or no address of its own, is left for it',
    EAFNOSUPPORT: 'it has no addresses of that kind',
    [lookupsHang]: 'too many look-ups of names hang',
    ...Object.fromEntries(unansweredLookups.map((code) => [code, resolverIsOut])),
    EPERM: 'its own rules forbid it',
    EACCES: 'its own rules forbid it',
  }),
);

/** A name may have several addresses. One that this machine cannot try says nothing of the others. */
function localFault(error: unknown): string | undefined {
  if (!(error instanceof AggregateError)) return localFaults.get(errorCode(error) ?? '');
  const faults = error.errors.map(localFault);
  return faults.includes(undefined) ? undefined : faults[0];
}

/** `ECONNREFUSED`, `CERT_HAS_EXPIRED`; the message where there is no code. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return errorCode(error) ?? operatorLine(error.message);
}

/**
 * Turns an answer outside 2xx into a ProbeFailed (SPEC 4.5, 4.7, 4.9). `body` is as much of it as was read. Only the reason and
 * the message of a Status are repeated, without the `token` that they may echo.
 */
export function refusal(
  answer: Pick<IncomingMessage, 'statusCode' | 'headers'>,
  body: string,
  now: Instant,
  token: string,
): ProbeFailed {
  const status = answer.statusCode ?? 0;
  const said = statusIn(body);
  const words = [textAt(said, 'reason'), textAt(said, 'message')].filter((part) => part !== '').join(': ');
  const detail = [`HTTP ${status}`, meaningOf(status), operatorLine(words, token)]
    .filter((part) => part !== '')
    .join(', ');
  switch (status) {
    case 401:
    case 403:
      return new ProbeFailed({ reason: 'unauthorized', detail }, { status });
    case 429: {
      const retryAfter = readRetryAfter(answer.headers['retry-after'], now);
      return new ProbeFailed(
        {
          reason: 'throttled',
          detail,
          ...(retryAfter === undefined ? {} : { retryAfter }),
          ...(answer.headers.connection?.toLowerCase() === 'close' ? { closes: true } : {}),
        },
        { status },
      );
    }
    case 410:
      return new ProbeFailed({ reason: 'refused', detail }, { status, next: textAt(said, 'metadata', 'continue') });
    default:
      return new ProbeFailed({ reason: 'refused', detail }, { status });
  }
}

function meaningOf(status: number): string {
  return status >= 300 && status < 400 ? 'a redirect, which is not followed' : '';
}

/** Undefined for a proxy's page, or half a Status: the status code says enough. */
function statusIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
