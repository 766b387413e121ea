import { MemoryDispatcher, type Carry } from '../../../src/simulator/memory/memory-dispatcher.ts';

/** Connections of which somebody hears that they were given up. */
export class CountedPool extends MemoryDispatcher {
  readonly #givenUp: () => void;
  #isOpen = true;

  constructor(carry: Carry, givenUp: () => void) {
    super(carry);
    this.#givenUp = givenUp;
  }

  override async close(): Promise<void> {
    this.#end();
    await super.close();
  }

  override async destroy(error?: unknown): Promise<void> {
    this.#end();
    await super.destroy(error);
  }

  #end(): void {
    if (this.#isOpen) this.#givenUp();
    this.#isOpen = false;
  }
}
