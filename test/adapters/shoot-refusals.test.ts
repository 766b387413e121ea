import { expect, test } from 'vitest';
import { answerJson } from '@dwd/testing/scripted-server.ts';
import { settled } from '@dwd/testing/virtual-clock.ts';
import { afterVersion, fine, shootStage, token } from '@dwd/testing/shoot-stage.ts';

const status = { kind: 'Status', status: 'Failure', reason: 'Odd', message: 'for a reason' };

test.each([
  [400, 'refused'],
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [404, 'refused'],
  [429, 'throttled'],
  [500, 'refused'],
  [503, 'refused'],
])('4.4 HTTP %i is %s, and says why', async (code, reason) => {
  await using stage = await shootStage((_, response) => answerJson(response, status, code));
  const failure = { stage: 'version', reason, detail: `HTTP ${code}, Odd: for a reason` };
  expect(await stage.leases()).toEqual({ ok: false, failure });
  expect(await stage.nodes()).toEqual({ ok: false, failure: { ...failure, stage: 'nodes' } });
  expect(stage.codes).toEqual([String(code), String(code)]);
});

test('4.4 a refused /version is not followed by a question for leases', async () => {
  await using stage = await shootStage((_, response) => answerJson(response, status, 500));
  await stage.leases();
  expect(stage.server.received.length).toBe(1);
});

test('4.4 a refused list of leases names its stage', async () => {
  await using stage = await shootStage(afterVersion((_, response) => answerJson(response, status, 403)));
  expect(await stage.leases()).toMatchObject({ ok: false, failure: { stage: 'leases', reason: 'unauthorized' } });
});

test.each([301, 302, 307, 308])('4.7 a redirect (%i) is refused and not followed', async (code) => {
  await using stage = await shootStage((request, response) =>
    request.url === '/version'
      ? answerJson(response, {}, code, { location: `${stage.server.url}/elsewhere` })
      : fine(request, response),
  );
  const answer = await stage.leases();
  expect(answer).toMatchObject({ ok: false, failure: { stage: 'version', reason: 'refused' } });
  expect(!answer.ok && answer.failure.detail).toContain('redirect');
  expect(stage.server.received.length).toBe(1);
});

test.each([
  ['7', 7_000],
  ['0', 0],
  ['Sat, 21 Nov 2026 20:00:45 GMT', 45_000],
  ['Sat, 21 Nov 2026 19:00:00 GMT', 0],
  [undefined, undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['1e3', undefined],
  ['99999999999999999999', undefined],
])('4.5 Retry-After: %s asks for %s ms', async (header, retryAfter) => {
  await using stage = await shootStage(
    afterVersion((_, response) => answerJson(response, {}, 429, header === undefined ? {} : { 'retry-after': header })),
  );
  const failure = { stage: 'leases', reason: 'throttled', detail: 'HTTP 429' };
  expect(await stage.leases()).toEqual({
    ok: false,
    failure: retryAfter === undefined ? failure : { ...failure, retryAfter },
  });
});

test('4.7 9.4 what a server says is cut, cleaned, and rid of the token it was sent', async () => {
  const [header, payload] = token.split('.');
  const message = `no\r\n\u001b[31m${token} nor "${header}" nor (${payload})\u202e ${'long '.repeat(1_000)}`;
  await using stage = await shootStage((_, response) => answerJson(response, { message }, 403));
  const answer = await stage.leases();
  const detail = answer.ok ? '' : answer.failure.detail;
  expect(detail).toMatch(/^HTTP 403, no \[31m\[hidden\] nor "\[hidden\]" nor \(\[hidden\]\) (long )+/);
  expect(detail.length).toBeLessThan(200);
  expect(detail).not.toMatch(/\p{C}/u);
});

test('4.7 a refusal without a Status is its number, however much comes with it', async () => {
  let sent = 0;
  await using stage = await shootStage((_, response) => {
    response.writeHead(502, { 'content-type': 'text/html' });
    const page = Buffer.alloc(65_536, '<br>');
    const more = (): void => {
      for (let room = true; room; sent += page.length) room = !response.destroyed && response.write(page);
    };
    response.on('drain', more);
    more();
  });
  expect(await stage.leases()).toEqual({
    ok: false,
    failure: { stage: 'version', reason: 'refused', detail: 'HTTP 502' },
  });
  // What the kernel takes before we close; to read it all would be 16 MB.
  expect(sent).toBeLessThan(8 * 1_048_576);
});

test('4.5 a refusal counts by its number though its body never ends', async () => {
  const written = Promise.withResolvers<void>();
  await using stage = await shootStage((_, response) => {
    response.writeHead(429, { 'retry-after': '20' });
    response.write('{"kind":', () => written.resolve());
  });
  const answer = stage.leases();
  await written.promise;
  // One end reads what the other has written in the next turn of the loop, or the one after.
  for (let turn = 0; turn < 5; turn++) await settled();
  expect(await stage.clock.until(answer)).toMatchObject({
    ok: false,
    failure: { reason: 'throttled', retryAfter: 20_000 },
  });
});
