import { createWebSocketReceiver, type StatelyInspectionEvent } from '@statelyai/inspect';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { serveHttp } from 'dependency-watchdog/adapters/http/http-server.ts';
import { isOwnHost } from 'dependency-watchdog/adapters/http/routes.ts';
import type { Upgrade } from 'dependency-watchdog/adapters/http/upgrades.ts';

/** Serves `/stately` on a real socket; answers its address. */
export async function serving(upgrade: Upgrade) {
  const faults: unknown[] = [];
  const server = await serveHttp({
    address: { host: '127.0.0.1', port: 0 },
    flag: '--inspector-bind-addr',
    routes: { '/hello': () => ({ status: 200, contentType: 'text/plain', body: 'hello' }) },
    upgrades: { '/stately': upgrade },
    isForUs: isOwnHost,
    onFault: (error) => faults.push(error),
  });
  onTestFinished(() => server.close());
  return { ...server, faults, url: `ws://127.0.0.1:${server.port}/stately` };
}

/** The receiver of Stately's own package, with what it was told. */
export function receiver(url: string) {
  const events: StatelyInspectionEvent[] = [];
  let waiting: Readonly<{ count: number; resolve: () => void }> | undefined;
  createWebSocketReceiver({ server: url }).subscribe((event) => {
    events.push(event);
    if (waiting !== undefined && events.length >= waiting.count) waiting.resolve();
  });
  return {
    events,
    /** Resolves once so many were told in all. */
    told: (count: number): Promise<void> =>
      events.length >= count ? Promise.resolve() : new Promise((resolve) => (waiting = { count, resolve })),
  };
}

/** What comes of asking for a WebSocket: it is open, or the refusal's status and sentence. */
export function knock(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  onMessage: () => void = () => undefined,
): Promise<WebSocket | string> {
  const socket = new WebSocket(url, { headers });
  onTestFinished(() => socket.terminate());
  socket.on('error', () => undefined);
  socket.on('message', onMessage);
  return new Promise((resolve) => {
    socket.on('open', () => resolve(socket));
    socket.on('unexpected-response', (_, response) => {
      let body = '';
      response.on('data', (piece) => (body += String(piece)));
      response.on('end', () => resolve(`${response.statusCode} ${body.trim()}`));
    });
  });
}

/** What comes of asking for a WebSocket where the first message comes at once: it, or the code and the reason with which it is closed. */
export async function greeted(url: string): Promise<string> {
  const socket = new WebSocket(url);
  onTestFinished(() => socket.terminate());
  const greeting = new Promise<string>((resolve) => socket.on('message', (told: Buffer) => resolve(told.toString())));
  return await Promise.race([greeting, cutOff(socket)]);
}

/** One who is let in; `onMessage` is called with each message, from the first on. */
export async function reader(url: string, onMessage: () => void = () => undefined): Promise<WebSocket> {
  const answer = await knock(url, {}, onMessage);
  if (typeof answer === 'string') throw new Error(answer);
  return answer;
}

/** Resolves with the code and the reason with which a reader is cut. */
export function cutOff(socket: WebSocket): Promise<string> {
  return new Promise((resolve) => socket.on('close', (code, reason) => resolve(`${code} ${String(reason)}`)));
}
