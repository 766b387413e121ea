import type { ServerResponse } from 'node:http';
import type { SeenRequest } from './request-log.ts';
import type { Answer } from './resource-answer.ts';
import type { Agenda } from '../store/agenda.ts';
import { ApiRefusal } from '../store/api-refusal.ts';
import { asObject } from '../store/kube-object.ts';

/** What a request to an API server meets in place of an answer. */
export type Fault =
  /** Accepts, and never answers: the TLS handshake, or the request. */
  | Readonly<{ kind: 'hang'; at: 'handshake' | 'answer' }>
  /** 429 with Retry-After, as priority and fairness says it; without it where null. */
  | Readonly<{ kind: 'throttle'; retryAfterSeconds: number | null }>
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
  switch (fault.kind) {
    case 'hang':
      return;
    case 'throttle':
      throttle(fault.retryAfterSeconds, response);
      return;
    case 'status': {
      const message = `an error on the server ("${fault.code}") has prevented the request from succeeding`;
      sendRefusal(response, new ApiRefusal({ code: fault.code, reason: 'InternalError', message }));
      return;
    }
    case 'garble':
      garble(fault.as, response);
      return;
    case 'flood':
      flood(fault.as, response, agenda);
      return;
    case 'redirect':
      response.writeHead(302, { Location: fault.to }).end();
      return;
    case 'cut':
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
      response.write('{"kind":"LeaseList","items":[', () => response.destroy());
      return;
    case 'said':
      fault.say(request, response);
      return;
    default:
      fault satisfies never;
  }
}

export function sendRefusal(response: ServerResponse, refusal: ApiRefusal): void {
  const { retryAfterSeconds } = asObject(refusal.status['details']);
  if (typeof retryAfterSeconds === 'number') response.setHeader('Retry-After', String(retryAfterSeconds));
  sendJson(response, refusal.code, `${JSON.stringify(refusal.status)}\n`);
}

export function sendAnswer(response: ServerResponse, answer: Answer): void {
  if ('json' in answer) sendJson(response, answer.code, answer.json);
  else response.writeHead(answer.code, { 'Content-Type': 'text/plain; charset=utf-8' }).end(answer.text);
}

function sendJson(response: ServerResponse, code: number, json: string): void {
  response.writeHead(code, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) });
  response.end(json);
}

/** As priority and fairness refuses: no Status, but a text. */
function throttle(retryAfterSeconds: number | null, response: ServerResponse): void {
  const text = 'Too many requests, please try again later.\n';
  response.writeHead(429, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': text.length,
    'X-Content-Type-Options': 'nosniff',
    ...(retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) }),
  });
  response.end(text);
}

function garble(as: 'text' | 'json' | 'bytes', response: ServerResponse): void {
  if (as === 'bytes') {
    response.socket?.end('\u0000\u0001\u0002 no answer of a web server \r\n\r\n');
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(
    as === 'text'
      ? '<html><body>Sign in to the wireless network</body></html>'
      : '{"items":{"metadata":[null,7]},"gitVersion":[]}',
  );
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
