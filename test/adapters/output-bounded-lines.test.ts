import { expect, test } from 'vitest';
import { afterBy } from '../../src/adapters/clock/plain-clock.ts';
import { BoundedLines, type Output } from '../../src/adapters/output/bounded-lines.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

/** Takes what it is told to take, when it is told. */
class ScriptedOutput implements Output {
  offered: string | undefined;
  taken = '';
  #answer: (error: Error | null, written: number) => void = () => undefined;

  write(bytes: Buffer, taken: (error: Error | null, written: number) => void): void {
    if (this.offered !== undefined) throw new Error('two writes at a time');
    this.offered = bytes.toString();
    this.#answer = taken;
  }

  take(count = this.offered?.length ?? 0): void {
    this.taken += this.#answered().slice(0, count);
    this.#answer(null, count);
  }

  fail(code: string, message = code): void {
    this.#answered();
    this.#answer(Object.assign(new Error(message), { code }), 0);
  }

  #answered(): string {
    const { offered = '' } = this;
    this.offered = undefined;
    return offered;
  }
}

function stage() {
  const output = new ScriptedOutput();
  const clock = new VirtualClock();
  const lines = new BoundedLines({
    output,
    after: afterBy(clock),
    lossLine: ({ count, error }) => `${count} lost: ${error?.message ?? 'not read'}\n`,
  });
  return { output, clock, lines };
}

/** 1 KiB. */
const long = (number: number) => `${`${number} `.padEnd(1_023, '.')}\n`;

test('11.1 lines are offered as they come, and those that come meanwhile together after it', () => {
  const { output, lines } = stage();
  lines.write('one\n');
  expect(output.offered).toBe('one\n');
  lines.write('two\n');
  lines.write('three\n');
  output.take();
  expect(output.offered).toBe('two\nthree\n');
  output.take();
  expect(output).toMatchObject({ taken: 'one\ntwo\nthree\n', offered: undefined });
});

test('11.1 what was taken in part is offered on from there, so no line is torn', () => {
  const { output, lines } = stage();
  lines.write('one\n');
  output.take(2);
  expect(output.offered).toBe('e\n');
  output.fail('ENOSPC');
  expect(output.taken).toBe('on');
});

test('11.1 an output that takes nothing: 1 MiB waits, the oldest lines are dropped, and one line tells how many, in their place', () => {
  const { output, lines } = stage();
  let dropped = 0;
  lines.onDropped = () => dropped++;
  for (let number = 0; number < 5_000; number++) lines.write(long(number));
  expect(dropped).toBe(5_000 - 1 - 1_024);
  output.take();
  expect(output.offered?.startsWith(`${dropped} lost: not read\n${long(5_000 - 1_024)}`)).toBe(true);
  while (output.offered !== undefined) output.take();
  expect(output.taken.endsWith(long(4_999))).toBe(true);
  expect(output.taken.match(/lost/g)).toHaveLength(1);
});

test('11.1 a line that is longer than all that may wait is dropped itself', () => {
  const { output, lines } = stage();
  lines.write('one\n');
  lines.write(`${'x'.repeat(1_048_576)}\n`);
  lines.write('two\n');
  output.take();
  expect(output.offered).toBe('1 lost: not read\ntwo\n');
});

test.for(['ENOSPC', 'EIO', 'EPIPE'])(
  '11.1 an output that fails by %s is tried again after a second, within the same bound',
  async (code) => {
    const { output, clock, lines } = stage();
    lines.write('one\n');
    output.fail(code);
    for (let number = 0; number < 2_000; number++) lines.write(long(number));
    expect(output.offered).toBe(undefined);
    await clock.advanceBy(1_000);
    expect(output.offered).toBe('one\n');
    output.fail(code);
    await clock.advanceBy(1_000);
    output.take();
    expect(output.offered?.startsWith(`976 lost: ${code}\n`)).toBe(true);
  },
);

test('11.1 the end waits until all is taken, or for its bound', async () => {
  const { output, clock, lines } = stage();
  await lines.flushed(1_000);
  lines.write('one\n');
  lines.write('two\n');
  let ended = 0;
  const end = () => void lines.flushed(1_000).then(() => ended++);
  end();
  output.take();
  await clock.advanceBy(999);
  expect(ended).toBe(0);
  output.take();
  await clock.advanceBy(0);
  expect(ended, 'all is taken').toBe(1);
  lines.write('three\n');
  end();
  await clock.advanceBy(1_000);
  expect(ended, 'nobody reads').toBe(2);
});

test('11.1 the end tries an output that failed once more, at once, and does not wait for its next failure', async () => {
  const { output, clock, lines } = stage();
  lines.write('one\n');
  output.fail('ENOSPC');
  let ended = false;
  void lines.flushed(1_000).then(() => (ended = true));
  expect(output.offered).toBe('one\n');
  output.fail('ENOSPC');
  await clock.advanceBy(0);
  expect(ended).toBe(true);
});
