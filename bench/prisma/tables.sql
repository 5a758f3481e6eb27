CREATE TABLE "User" (
  "id" SERIAL PRIMARY KEY,
  "email" TEXT NOT NULL UNIQUE,
  "name" TEXT NOT NULL,
  "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE "Post" (
  "id" SERIAL PRIMARY KEY,
  "title" TEXT NOT NULL,
  "content" TEXT NOT NULL,
  "published" BOOLEAN NOT NULL DEFAULT true,
  "viewCount" BIGINT NOT NULL DEFAULT 0,
  "rating" DECIMAL(6, 2) NOT NULL DEFAULT 0,
  "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "authorId" INTEGER NOT NULL REFERENCES "User" ("id")
);
CREATE TABLE "Comment" (
  "id" SERIAL PRIMARY KEY,
  "body" TEXT NOT NULL,
  "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "postId" INTEGER NOT NULL REFERENCES "Post" ("id"),
  "authorId" INTEGER NOT NULL REFERENCES "User" ("id")
);
CREATE TABLE "Event" (
  "id" SERIAL PRIMARY KEY,
  "kind" TEXT NOT NULL,
  "at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

INSERT INTO "User" ("email", "name", "createdAt")
  SELECT 'user' || n || '@bench.example', 'User ' || n, '2026-01-01'::timestamp + n * interval '1 minute' FROM generate_series(1, 1000) n;
INSERT INTO "Post" ("title", "content", "published", "viewCount", "rating", "createdAt", "authorId")
  SELECT 'Post number ' || n, repeat('Lorem ipsum dolor sit amet. ', 8), true, 9007199254740000 + n, (n % 500) / 100.0,
    '2026-01-01'::timestamp + n * interval '1 minute', 1 + n % 1000 FROM generate_series(1, 20000) n;
INSERT INTO "Comment" ("body", "createdAt", "postId", "authorId")
  SELECT 'Comment number ' || n, '2026-02-01'::timestamp + n * interval '1 minute', 1 + (n - 1) / 3, 1 + n % 1000 FROM generate_series(1, 60000) n;
CREATE INDEX ON "Post" ("authorId");
CREATE INDEX ON "Comment" ("postId");
CREATE INDEX ON "Comment" ("authorId");
CREATE INDEX ON "Event" ("kind");

-- Policies bind the role of a caller alone: the contenders without row-level security connect as the owner.
DO $$ BEGIN
  CREATE ROLE bench_caller;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO bench_caller;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO bench_caller;
ALTER TABLE "User" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "Post" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "Comment" ENABLE ROW LEVEL SECURITY;
CREATE POLICY everyone ON "User" TO bench_caller USING (true);
CREATE POLICY visible ON "Post" TO bench_caller USING ("published" OR "authorId" = current_setting('app.user_id')::integer);
CREATE POLICY everyone ON "Comment" TO bench_caller USING (true);
