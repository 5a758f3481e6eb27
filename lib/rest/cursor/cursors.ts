import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** What cursors begin with: the form of all that follows. */
const VERSION = 1;
const ID_LENGTH = 4;
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const HEAD_LENGTH = 1 + ID_LENGTH + IV_LENGTH;

/** The longest cursor (CP-17): with it, a URL stays far below what servers take. */
export const MAX_CURSOR_LENGTH = 2000;

/**
 * Writes and reads the text of cursors: encrypted, since they hold values that their caller may not read (CP-19), and authenticated, so that only
 * what was written here is read (CP-18). Base64url, so that URLs need no escapes.
 *
 * The same content has the same text: pages that have not changed are 304 to those who have them. So the nonce is the HMAC of the content, under a
 * key of its own; two contents that have the same nonce are as unlikely as with a random one.
 *
 * | version | id of the key | nonce | content, AES-256-GCM | tag |
 */
export class Cursors {
  readonly #current: Key;
  readonly #keys: readonly Key[];

  /** @param secrets the current one first; left out, it is random, and no other process reads these cursors */
  constructor(secrets: readonly string[] = []) {
    this.#current = deriveKey(secrets[0] ?? PROCESS_SECRET);
    this.#keys = [this.#current, ...secrets.slice(1).map(deriveKey)];
  }

  /** @param scope what the cursor is for: it is read for nothing else */
  seal(scope: string, content: string): string {
    const { id, encryption, nonce } = this.#current;
    const iv = createHmac('sha256', nonce).update(scope).update('\0').update(content).digest().subarray(0, IV_LENGTH);
    const head = Buffer.concat([Buffer.of(VERSION), id, iv]);
    const cipher = createCipheriv('aes-256-gcm', encryption, iv).setAAD(authenticated(head, scope));
    return Buffer.concat([head, cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  /** @returns undefined for what no key here has written for that scope */
  open(scope: string, text: string): string | undefined {
    if (text.length > MAX_CURSOR_LENGTH) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    // Several texts stand for the same bytes, and one of them was written.
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
