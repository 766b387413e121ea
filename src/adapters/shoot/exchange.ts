import type { ClientRequest, IncomingMessage } from 'node:http';
import { BoundedBytes } from '../reading/bounded-bytes.ts';
import { garbled } from '../reading/probe-failed.ts';
import { mostEarlyAnswers, refusalBytes } from '../reading/shoot-limits.ts';

export type Exchange = Readonly<{
  request: ClientRequest;
  /** Gets the body of a 2xx answer piece by piece. If it throws, the exchange ends. If it returns a promise, the next piece comes after that resolves. */
  take: (chunk: Buffer) => Promise<void> | undefined;
  /** Makes an error of any other answer, and of as much of its body as came. */
  refuse: (answer: IncomingMessage, body: string) => Error;
}>;

/** Sends the request and reads its answer to the end. Resolves with the head of a 2xx; rejects with the error that ended it. */
export function exchange({ request, take, refuse }: Exchange): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Once an answer has begun that is no success, that answer counts, however it ends.
    let refusal: (() => Error) | undefined;
    const fail = (error?: unknown): void => {
      reject(refusal === undefined ? error : refusal());
      request.destroy();
    };

    let early = 0;
    request.on('information', () => {
      early++;
      if (early > mostEarlyAnswers) fail(garbled('only early answers came'));
    });
    request.on('error', fail);
    // After a complete answer this has no effect.
    request.on('close', () => fail(new Error('the connection was closed')));
    request.on('response', (answer) => {
      const status = answer.statusCode ?? 0;
      if (status < 200 || status > 299) {
        const body = new BoundedBytes(refusalBytes, 'a refusal');
        refusal = () => refuse(answer, body.take());
        answer.on('data', (chunk: Buffer) => {
          body.add(chunk, 0, Math.min(chunk.length, refusalBytes - body.length));
          if (body.length === refusalBytes) fail();
        });
        answer.on('error', fail);
        answer.on('end', fail);
        return;
      }
      if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') {
        fail(garbled('the answer is encoded, which was not asked for'));
        return;
      }
      answer.on('data', (chunk: Buffer) => {
        try {
          const turn = take(chunk);
          if (turn === undefined) return;
          answer.pause();
          void turn.then(() => answer.resume());
        } catch (error) {
          fail(error);
        }
      });
      answer.on('error', fail);
      answer.on('end', () => resolve(answer));
    });
    request.end();
  });
}
