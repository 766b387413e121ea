import type { Fault } from '../api/faults.ts';
import type { Reception } from './memory-api-server.ts';

/** What a server with this fault answers. Throws for what only bytes on a wire can say. */
export function answerByFault(fault: Fault): Reception {
  switch (fault.kind) {
    case 'hang':
      return 'silence';
    case 'cut':
      return 'cut';
    case 'throttle': {
      const wait = fault.retryAfterSeconds === null ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
      return said(429, 'text/plain; charset=utf-8', 'Too many requests, please try again later.\n', wait);
    }
    case 'status':
      return said(fault.code, 'application/json', JSON.stringify(statusOf(fault.code)));
    case 'garble':
      return said(200, 'application/json', fault.as === 'json' ? '{"items":{"metadata":[null,7]}}' : '<html></html>');
    case 'redirect':
      return said(302, 'text/plain', '', { location: fault.to });
    case 'flood':
    case 'said':
      throw new Error(`a server in memory has no fault '${fault.kind}'`);
    default:
      return fault satisfies never;
  }
}

function said(status: number, type: string, body: string, more: Readonly<Record<string, string>> = {}): Reception {
  return { status, headers: { 'content-type': type, ...more }, body };
}

function statusOf(code: number): object {
  const message = `an error on the server ("${code}") has prevented the request from succeeding`;
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'InternalError', code };
}
