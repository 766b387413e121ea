import { filter, firstValueFrom } from 'rxjs';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../../src/adapters/record/log/log.ts';
import { SeedHistory } from '../../src/adapters/reflector/seed-history.ts';
import { systemClock } from '../../src/adapters/clock/wall-clock.ts';
import { campaign } from '../../src/commands/role/campaign.ts';
import { answerJson, scriptedServer } from '@dwd/testing/scripted-server.ts';

const tell = Date.now;
afterEach(() => void (Date.now = tell));

test('8 a leader that cannot renew loses the lead in time, though the wall clock is set back meanwhile', async () => {
  const server = await scriptedServer((request, response) => {
    if (request.method === 'GET') answerJson(response, { kind: 'Status', code: 404 }, 404);
    // Makes the Lease, and says nothing to its renewal.
    else if (request.method === 'POST') answerJson(response, JSON.parse(request.body), 201);
  });
  const ca = server.ca;
  const election = campaign(
    'prober',
    { namespace: 'garden', leaseDuration: 2_000, renewDeadline: 700, retryPeriod: 100 },
    {
      clock: systemClock,
      credentials: { origin: 'a test', read: () => Promise.resolve({ server: server.url, headers: {}, tls: { ca } }) },
      userAgent: 'test',
      log: createLog({ level: 'fatal', clock: systemClock, write: () => undefined }),
      server: () => server.url,
      history: new SeedHistory(),
    },
  );
  const leads = firstValueFrom(election.leadership$.pipe(filter((now) => now === 'leading')));
  const lost = firstValueFrom(election.leadership$.pipe(filter((now) => now === 'lost')));
  election.start();
  await leads;
  // Only the wall clock: timers and the monotonic one go on.
  Date.now = () => tell() - 3_600_000;
  await lost;
  expect(election.granted()).toBe(false);
  await election.release(100);
  await server.close();
});
