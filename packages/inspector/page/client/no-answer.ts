/** Why an answer is none: the status and what the server said, or that nothing came. */
export class NoAnswer extends Error {
  readonly status: number | null;
  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}
