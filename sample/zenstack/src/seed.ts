import type { ClientContract } from '@zenstackhq/orm';
import type { SchemaType } from './generated/schema.js';

/** Four users, three posts of the author Bea (the last a draft), a comment on each. */
export async function seed(client: ClientContract<SchemaType>): Promise<void> {
  const user = (id: number, name: string, role: 'READER' | 'AUTHOR' | 'ADMIN') => ({
    id,
    name,
    role,
    email: `${name.toLowerCase()}@blog.example`,
    passwordHash: `not-a-hash-${id}`,
  });
  await client.user.createMany({
    data: [user(1, 'Ann', 'ADMIN'), user(2, 'Bea', 'AUTHOR'), user(3, 'Cem', 'AUTHOR'), user(4, 'Dov', 'READER')],
  });
  for (const [index, title] of ['Hello', 'Policies', 'Unfinished'].entries()) {
    await client.post.create({
      data: {
        slug: title.toLowerCase(),
        title,
        published: index < 2,
        viewCount: 9_007_199_254_740_993n,
        rating: '4.25',
        keywords: ['zenstack'],
        metadata: { index },
        cover: Uint8Array.of(1, 2, index),
        createdAt: new Date(Date.UTC(2026, 0, index + 1)),
        authorId: 2,
        tags: { connectOrCreate: { where: { name: 'orm' }, create: { name: 'orm' } } },
        comments: { create: { body: `On ${title}`, authorId: 3 } },
      },
    });
  }
  await client.$executeRaw`SELECT setval(pg_get_serial_sequence('"User"', 'id'), 4)`;
}
