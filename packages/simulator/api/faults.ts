import type { ServerResponse } from 'node:http';
import type { SeenRequest } from './request-log.ts';
import { faultReply, type Reply } from './reply.ts';
import type { Agenda } from '../store/agenda.ts';

/** What a request to an API server meets in place of an answer. */
export type Fault =
  /** Accepts, and never answers: the TLS handshake, or the request. */
  | Readonly<{ kind: 'hang'; at: 'handshake' | 'answer' }>
  /** 429 with Retry-After, as priority and fairness says it; without it where null. `closes`: as a server that shuts down. */
  | Readonly<{ kind: 'throttle'; retryAfterSeconds: number | null; closes?: boolean }>
  /** A Status with this code. */
  | Readonly<{ kind: 'status'; code: number }>
  /** 200 with a body that is no JSON, JSON that is no answer, or bytes that are no HTTP. */
  | Readonly<{ kind: 'garble'; as: 'text' | 'json' | 'bytes' }>
  /** An answer that never ends: items without end, pages without end, or a byte a second. */
  | Readonly<{ kind: 'flood'; as: 'items' | 'pages' | 'drip' }>
  /** 302 to elsewhere. */
  | Readonly<{ kind: 'redirect'; to: string }>
  /** The connection is cut in the middle of the answer. */
  | Readonly<{ kind: 'cut' }>
  /** Whatever a hostile server may say. */
  | Readonly<{ kind: 'said'; say: (request: SeenRequest, response: ServerResponse) => void }>;

/** Whether a fault affects a request; unless given, it affects all of them. */
export type Affects = (request: SeenRequest) => boolean;

/** Answers a request as the fault says, or not at all. */
export function answerWithFault(fault: Fault, request: SeenRequest, response: ServerResponse, agenda: Agenda): void {
  const said = faultReply(fault);
  if (said !== undefined) {
    sendReply(response, said);
    return;
  }
  switch (fault.kind) {
    case 'garble':
      response.socket?.end('\u0000\u0001\u0002 no answer of a web server \r\n\r\n');
      return;
    case 'flood':
      flood(fault.as, response, agenda);
      return;
    case 'cut':
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
      response.write('{"kind":"LeaseList","items":[', () => response.destroy());
      return;
    case 'said':
      fault.say(request, response);
      return;
    case 'hang':
    case 'throttle':
    case 'status':
    case 'redirect':
      return;
    default:
      fault satisfies never;
  }
}

export function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const filler = `${JSON.stringify({ metadata: { name: 'x'.repeat(60) }, spec: { renewTime: 'never' } })},`.repeat(500);

function flood(as: 'items' | 'pages' | 'drip', response: ServerResponse, agenda: Agenda): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  switch (as) {
    case 'pages':
      response.end('{"kind":"LeaseList","metadata":{"resourceVersion":"1","continue":"more"},"items":[]}');
      return;
    case 'items': {
      response.write('{"kind":"LeaseList","metadata":{"resourceVersion":"1"},"items":[');
      const pour = (): void => {
        while (!response.destroyed && response.write(filler));
      };
      response.on('drain', pour);
      pour();
      return;
    }
    case 'drip': {
      const drip = (): void => {
        if (response.destroyed) return;
        response.write(' ');
        agenda.after(1_000, drip);
      };
      drip();
      return;
    }
    default:
      as satisfies never;
  }
}
