import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '@dwd/lab/real/processes.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { listenOnLoopback } from '../api/listen-on-loopback.ts';
import { LoadBalancer } from '../api/load-balancer.ts';
import { Agenda } from '../store/agenda.ts';

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

/** The first of the ports that can be had; another one if none can. */
function chosenOf(...ports: readonly number[]): Promise<number> {
  const left = [...ports];
  return listenOnLoopback(server(), 0, () => left.shift() ?? randomInt(20_000, 30_000));
}

describe('a port of a server that is down', () => {
  test('is chosen by nobody, its owner has it back, and it is free again after that', async () => {
    const down = await freePort();
    expect(await chosenOf(down)).not.toBe(down);
    const again = server();
    expect(await listenOnLoopback(again, down)).toBe(down);
    again.close();
    await once(again, 'close');
    expect(await chosenOf(down)).toBe(down);
  });

  test('is let go once a hundred others are kept', async () => {
    const down = await freePort();
    for (let others = 0; others < 100; others++) await freePort();
    expect(await chosenOf(down)).toBe(down);
  });

  test('is kept for it while its server refuses', async () => {
    const balancer = new LoadBalancer({ target: 1, agenda: new Agenda(systemClock) });
    await balancer.up();
    await balancer.setFault({ kind: 'refuse' });
    expect(await chosenOf(balancer.port)).not.toBe(balancer.port);
    await balancer.heal();
    await balancer.stop();
  });
});
