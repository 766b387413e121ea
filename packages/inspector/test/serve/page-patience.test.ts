import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { askPatiently } from '../../page/client/ask-patiently.ts';

const pieces = ['{"turns"', ':[1', ',2', ']}'];

/** Asks a server that sends each piece once the one before was heard, and nothing after `most` of them; `heard`: how often the patience began anew. */
async function ask(most: number): Promise<Readonly<{ answer: Promise<unknown>; heard: () => number }>> {
  const left = pieces.slice(0, most);
  const server = createServer();
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = once(server, 'request') as Promise<[unknown, ServerResponse]>;
  let [running, begun] = [0, 0];
  const answer = askPatiently(`http://127.0.0.1:${(server.address() as AddressInfo).port}/turns`, (_, giveUp) => {
    expect((running += 1)).toBe(1);
    begun += 1;
    const piece = left.shift();
    if (piece !== undefined) void asked.then(([, response]) => response.write(piece));
    else if (most === pieces.length) void asked.then(([, response]) => response.end());
    else giveUp();
    return () => void (running -= 1);
  });
  return { answer, heard: () => begun - 1 };
}

test('9.7 an answer that comes in pieces is waited for as long as one more comes', async () => {
  const { answer, heard } = await ask(pieces.length);
  expect(await answer).toEqual({ ok: true, status: 200, said: '{"turns":[1,2]}' });
  expect(heard()).toBe(pieces.length);
});

test('9.7 where nothing more comes, it is given up', async () => {
  await expect((await ask(2)).answer).rejects.toThrow('aborted');
});
