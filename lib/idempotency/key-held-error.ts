/** Another request with the same key has begun, and has not ended. Nothing is written. */
export class KeyHeldError extends Error {
  override readonly name = 'KeyHeldError';

  constructor() {
    super('Another request with this idempotency key is running.');
  }
}
