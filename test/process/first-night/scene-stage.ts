import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'vitest';

type Undo = () => void | Promise<void>;

/** A directory of its own for one scene, and whatever is started for it. */
export class SceneStage {
  readonly dir = mkdtempSync(join(tmpdir(), 'dwd-night-'));
  readonly #undo: Undo[] = [() => rmSync(this.dir, { recursive: true, force: true })];

  /** For stages of other tests, which end what they start with the test. */
  get test(): TestContext {
    return { onTestFinished: (undo: Undo) => void this.#undo.push(undo) } as unknown as TestContext;
  }

  file(name: string, text: string): string {
    const path = join(this.dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  async end(): Promise<void> {
    for (const undo of this.#undo.toReversed()) await undo();
  }
}
