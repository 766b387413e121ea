import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../src/simulator/api/listen-on-loopback.ts';

function server(): Server {
  const tcp = createServer();
  onTestFinished(() => void tcp.close());
  return tcp;
}

test('any port is one that the kernel gives to nobody else, and each server has another', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, () => listenOnLoopback(server(), 0)));
  expect(new Set(ports).size).toBe(200);
  expect(ports.filter((port) => port < 20_000 || port > 29_999)).toEqual([]);
});

test('a port that was asked for and is taken is refused', async () => {
  const port = await listenOnLoopback(server(), 0);
  await expect(listenOnLoopback(server(), port)).rejects.toThrow('EADDRINUSE');
});
