import { expect, test } from 'vitest';
import { readTroubles } from '../../src/adapters/record/log/troubles.ts';
import { heardLog } from '@dwd/testing/heard-io.ts';

const key = 'apps/v1/Deployment/kcm';

function telling() {
  const { log, lines } = heardLog();
  return { reads: readTroubles(log), said: () => lines.splice(0).map(({ level, msg }) => `${level} ${msg}`) };
}

test('9.4 a dependant that cannot be read is told once, and so is the end', () => {
  const { reads, said } = telling();
  for (let time = 0; time < 3; time++) reads.fails('a', key, 'connection refused');
  reads.works('a', key);
  reads.works('a', key);
  expect(said()).toEqual(['warn a: kcm cannot be read: connection refused', 'info a: kcm can be read again']);
});

test('9.4 of hundreds that a seed’s outage keeps from being read ten are told by name, and their end', () => {
  const { reads, said } = telling();
  const shoots = Array.from({ length: 250 }, (_, index) => `shoot--${index}`);
  for (let outage = 0; outage < 2; outage++) {
    for (const shoot of shoots) reads.fails(shoot, key, 'connection refused');
    expect(said()).toEqual([
      ...shoots.slice(0, 10).map((shoot) => `warn ${shoot}: kcm cannot be read: connection refused`),
      'warn more than 10 dependants cannot be read; the others are told at DEBUG',
    ]);
    for (const shoot of shoots) reads.works(shoot, key);
    expect(said()).toEqual(shoots.slice(0, 10).map((shoot) => `info ${shoot}: kcm can be read again`));
  }
});

test('9.4 a shoot that is gone makes room for another one', () => {
  const { reads, said } = telling();
  for (let shoot = 0; shoot < 10; shoot++) reads.fails(`shoot--${shoot}`, key, 'no');
  said();
  reads.forget('shoot--3');
  reads.fails('shoot--new', key, 'no');
  expect(said()).toEqual(['warn shoot--new: kcm cannot be read: no']);
});
