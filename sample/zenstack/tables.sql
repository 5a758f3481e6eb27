-- What `zenstack migrate` makes of schema.zmodel, for the embedded database.
CREATE TYPE "Role" AS ENUM ('READER', 'AUTHOR', 'ADMIN');

CREATE TABLE "User" (
    "id" SERIAL PRIMARY KEY,
    "email" TEXT NOT NULL UNIQUE,
    "name" TEXT NOT NULL,
    "role" "Role" NOT NULL DEFAULT 'READER',
    "passwordHash" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL
);

CREATE TABLE "Post" (
    "id" SERIAL PRIMARY KEY,
    "slug" TEXT NOT NULL UNIQUE,
    "title" TEXT NOT NULL,
    "content" TEXT,
    "published" BOOLEAN NOT NULL DEFAULT false,
    "viewCount" BIGINT NOT NULL DEFAULT 0,
    "rating" DECIMAL(3, 2),
    "keywords" TEXT[],
    "metadata" JSONB,
    "cover" BYTEA,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "authorId" INTEGER NOT NULL REFERENCES "User" ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "Comment" (
    "id" SERIAL PRIMARY KEY,
    "body" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "postId" INTEGER NOT NULL REFERENCES "Post" ON DELETE CASCADE ON UPDATE CASCADE,
    "authorId" INTEGER REFERENCES "User" ON DELETE SET NULL ON UPDATE CASCADE
);

CREATE TABLE "Tag" (
    "id" SERIAL PRIMARY KEY,
    "name" TEXT NOT NULL UNIQUE
);

CREATE TABLE "_PostToTag" (
    "A" INTEGER NOT NULL REFERENCES "Post" ON DELETE CASCADE ON UPDATE CASCADE,
    "B" INTEGER NOT NULL REFERENCES "Tag" ON DELETE CASCADE ON UPDATE CASCADE,
    PRIMARY KEY ("A", "B")
);

CREATE TABLE "Note" (
    "locale" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    PRIMARY KEY ("locale", "number")
);
