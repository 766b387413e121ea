import { operatorLine } from '../words/operator-line.ts';
import { garbled, ProbeFailed, tooLarge } from './probe-failed.ts';

/**
 * What an error of Node's HTTP or TLS means for the probe; one that is a ProbeFailed already stays itself. `unverified`: the certificate was
 * looked at and refused. `host` is named in the detail.
 */
export function connectionFailure(error: unknown, host: string, unverified: boolean): ProbeFailed {
  if (error instanceof ProbeFailed) return error;
  const code = codeOf(error);
  if (unverified)
    return new ProbeFailed(
      { reason: 'certificate', detail: `the certificate of ${host} does not verify: ${code}` },
      { cause: error },
    );
  if (code === 'HPE_HEADER_OVERFLOW') return tooLarge(`${host} answered with headers beyond their limit`);
  if (code.startsWith('HPE_')) return garbled(`${host} answered what is no HTTP: ${code}`);
  return new ProbeFailed({ reason: 'unreachable', detail: `no connection to ${host}: ${code}` }, { cause: error });
}

/** `ECONNREFUSED`, `CERT_HAS_EXPIRED`; where there is no code, what the error says. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error && typeof error.code === 'string' ? error.code : operatorLine(error.message);
}
