import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { firstNightPage, page, readRecorded } from './page.ts';
import { playScene } from './play-scene.ts';
import { scenes } from './scenes.ts';

test.concurrent.for(scenes)('1.1, 1.2 first night: $title', async (scene) => {
  const outcome = await playScene(scene);
  const text = outcome.lines.join('\n');
  expect({ code: outcome.code, text }).toEqual({ code: scene.code, text: expect.stringMatching(scene.says) });
  // A stack is for us; an operator gets a sentence.
  expect(text).not.toMatch(/^ +at .*:\d+:\d+/m);
  expect(text).not.toMatch(/\b(?:undefined|null|NaN)\b/);
});

test('1.1 the page of the first night has every scene, as it was recorded', () => {
  const recorded = readRecorded();
  expect(Object.keys(recorded)).toEqual(scenes.map(({ title }) => title));
  const stale = scenes.filter(({ title, code, says }) => {
    const { code: ended, lines } = recorded[title]!;
    return ended !== code || !says.test(lines.join('\n'));
  });
  expect(stale.map(({ title }) => title)).toEqual([]);
  expect(readFileSync(page, 'utf8')).toBe(firstNightPage(recorded));
});
