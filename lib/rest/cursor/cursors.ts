import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Version of the cursor format: the first byte of every cursor. */
const VERSION = 1;
const ID_LENGTH = 4;
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const HEAD_LENGTH = 1 + ID_LENGTH + IV_LENGTH;

/** Maximum length of a cursor, in characters (CP-17). It keeps URLs far below the limits of servers and proxies. */
export const MAX_CURSOR_LENGTH = 2000;

/**
 * Encrypts and decrypts the text of cursors. Cursors are encrypted because they can hold values that the caller may not read (CP-19). They
 * are authenticated, so that a cursor from another source is rejected (CP-18). The text is base64url, so that URLs need no escapes.
 *
 * Encryption is deterministic: equal content has equal text, so that an unchanged page keeps its ETag and is answered with 304. The nonce
 * is the HMAC of scope and content, under a separate key. A collision of nonces is as unlikely as with random ones.
 *
 * | version | id of the key | nonce | content, AES-256-GCM | tag |
 */
export class Cursors {
  readonly #current: Key;
  readonly #keys: readonly Key[];

  /** @param secrets the current secret, then older ones, which only decrypt. Without secrets, a random one is used that no other process shares */
  constructor(secrets: readonly string[] = []) {
    this.#current = deriveKey(secrets[0] ?? PROCESS_SECRET);
    this.#keys = [this.#current, ...secrets.slice(1).map(deriveKey)];
  }

  /**
   * Encrypts a cursor.
   *
   * @param scope what the cursor is valid for: {@link open} with another scope returns undefined
   */
  seal(scope: string, content: string): string {
    const { id, encryption, nonce } = this.#current;
    const iv = createHmac('sha256', nonce).update(scope).update('\0').update(content).digest().subarray(0, IV_LENGTH);
    const head = Buffer.concat([Buffer.of(VERSION), id, iv]);
    const cipher = createCipheriv('aes-256-gcm', encryption, iv).setAAD(authenticated(head, scope));
    return Buffer.concat([head, cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  /**
   * Decrypts a cursor.
   *
   * @returns undefined for a text that none of these keys has encrypted for that scope
   */
  open(scope: string, text: string): string | undefined {
    if (text.length > MAX_CURSOR_LENGTH) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    // Several base64url texts decode to the same bytes. Only the canonical one is valid.
    if (bytes.length < HEAD_LENGTH + TAG_LENGTH || bytes[0] !== VERSION || bytes.toString('base64url') !== text) return undefined;
    const head = bytes.subarray(0, HEAD_LENGTH);
    const id = head.subarray(1, 1 + ID_LENGTH);
    const key = this.#keys.find((one) => one.id.equals(id));
    if (!key) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key.encryption, head.subarray(1 + ID_LENGTH), { authTagLength: TAG_LENGTH })
      .setAAD(authenticated(head, scope))
      .setAuthTag(bytes.subarray(-TAG_LENGTH));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(HEAD_LENGTH, -TAG_LENGTH)), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}

const PROCESS_SECRET = randomBytes(32);

interface Key {
  readonly id: Buffer;
  readonly encryption: Buffer;
  readonly nonce: Buffer;
}

function deriveKey(secret: string | Buffer): Key {
  const derived = (use: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `nestjs-resource-api cursors: ${use}`, length));
  return { id: derived('id', ID_LENGTH), encryption: derived('encryption', 32), nonce: derived('nonce', 32) };
}

function authenticated(head: Buffer, scope: string): Buffer {
  return Buffer.concat([head, Buffer.from(scope, 'utf8')]);
}
