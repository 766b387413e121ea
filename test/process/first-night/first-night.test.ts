import { expect, test } from 'vitest';
import { commandLineScenes } from './command-line-scenes.ts';
import { configScenes } from './config-scenes.ts';
import { journalScenes } from './journal-scenes.ts';
import { kubeconfigScenes } from './kubeconfig-scenes.ts';
import { playScene } from './play-scene.ts';
import { releaseScenes } from './release-scenes.ts';
import type { Scene } from './scene.ts';
import { seedScenes } from './seed-scenes.ts';
import { standingScenes } from './standing-scenes.ts';
import { storyScenes } from './story-scenes.ts';

const scenes: readonly Scene[] = [
  ...commandLineScenes,
  ...configScenes,
  ...kubeconfigScenes,
  ...seedScenes,
  ...journalScenes,
  ...standingScenes,
  ...releaseScenes,
  ...storyScenes,
];

test.concurrent.for(scenes)('1.1, 1.2 first night: $title', async (scene) => {
  const outcome = await playScene(scene);
  const text = outcome.lines.join('\n');
  expect({ code: outcome.code, text }).toEqual({ code: scene.code, text: expect.stringMatching(scene.says) });
  // A stack is for us; an operator gets a sentence.
  expect(text).not.toMatch(/^ +at .*:\d+:\d+/m);
  expect(text).not.toMatch(/\b(?:undefined|null|NaN)\b/);
});
