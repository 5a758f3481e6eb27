CREATE TABLE "Doc" ("id" text PRIMARY KEY, "slug" text NOT NULL UNIQUE, "title" text, "parentId" text REFERENCES "Doc" ON UPDATE CASCADE);
CREATE TABLE "Page" ("id" serial PRIMARY KEY, "docId" text NOT NULL REFERENCES "Doc" ON UPDATE CASCADE);
CREATE TABLE "Big" ("id" bigint PRIMARY KEY, "name" text NOT NULL UNIQUE, "title" text, "parentId" bigint REFERENCES "Big" ON UPDATE CASCADE);
CREATE TABLE "Price" (
  "id" decimal(50, 20) PRIMARY KEY, "name" text NOT NULL UNIQUE, "title" text, "parentId" decimal(50, 20) REFERENCES "Price" ON UPDATE CASCADE
);
CREATE TABLE "Level" (
  "id" double precision PRIMARY KEY, "name" text NOT NULL UNIQUE, "title" text, "parentId" double precision REFERENCES "Level" ON UPDATE CASCADE
);
CREATE TABLE "Pair" (
  "tenant" bigint, "code" decimal(50, 20), "name" text NOT NULL UNIQUE, "title" text, "label" text, PRIMARY KEY ("tenant", "code"), UNIQUE ("tenant", "label")
);
CREATE TABLE "Amount" (
  "id" serial PRIMARY KEY, "big" bigint, "decimal" decimal(50, 20), "bigs" bigint[], "decimals" decimal(50, 20)[], "float" double precision,
  "amountId" integer REFERENCES "Amount" ON UPDATE CASCADE
);
CREATE TABLE "Account" ("id" serial PRIMARY KEY, "email" text NOT NULL UNIQUE, "handle" text NOT NULL UNIQUE, "title" text);
CREATE TABLE "Room" ("id" serial PRIMARY KEY, "handle" text NOT NULL UNIQUE);
CREATE TABLE "Guest" ("roomId" integer REFERENCES "Room" ON UPDATE CASCADE, "name" text, PRIMARY KEY ("roomId", "name"));
CREATE TABLE "Seat" (
  "roomId" integer REFERENCES "Room" ON UPDATE CASCADE, "number" integer, "badge" text NOT NULL UNIQUE, "title" text, "guestName" text,
  PRIMARY KEY ("roomId", "number"), FOREIGN KEY ("roomId", "guestName") REFERENCES "Guest" ("roomId", "name") ON UPDATE CASCADE
);
CREATE TABLE "Row" (
  "id" serial PRIMARY KEY, "roomId" integer NOT NULL REFERENCES "Room" ON UPDATE CASCADE, "slug" text NOT NULL, "title" text, UNIQUE ("roomId", "slug")
);
CREATE TABLE "Draft" ("id" serial PRIMARY KEY, "slug" text NOT NULL, "title" text, "deletedAt" timestamp(3));
CREATE UNIQUE INDEX "Draft_slug_key" ON "Draft" ("slug") WHERE "deletedAt" IS NULL;
CREATE TABLE "Member" ("id" serial PRIMARY KEY, "name" text);
CREATE TABLE "Coupon" ("id" serial PRIMARY KEY, "title" text, "memberId" integer UNIQUE REFERENCES "Member" ON UPDATE CASCADE);
CREATE TABLE "Ledger" ("tenantId" integer, "code" text, PRIMARY KEY ("tenantId", "code"));
CREATE TABLE "Memo" ("tenantId" integer, "code" text, PRIMARY KEY ("tenantId", "code"));
CREATE TABLE "Entry" (
  "id" serial PRIMARY KEY, "tenantId" integer NOT NULL, "title" text, "ledgerCode" text, "memoCode" text,
  FOREIGN KEY ("tenantId", "ledgerCode") REFERENCES "Ledger" ("tenantId", "code"), FOREIGN KEY ("tenantId", "memoCode") REFERENCES "Memo" ("tenantId", "code")
);
CREATE TABLE "Unit" ("tenantId" integer, "number" integer, "name" text NOT NULL UNIQUE, PRIMARY KEY ("tenantId", "number"));
CREATE TABLE "Shelf" ("id" serial PRIMARY KEY, "code" text NOT NULL UNIQUE);
CREATE TABLE "Work" (
  "id" serial PRIMARY KEY, "title" text, "tenantId" integer, "unitNumber" integer,
  "shelfCode" text REFERENCES "Shelf" ("code"), "placeId" integer REFERENCES "Shelf",
  FOREIGN KEY ("tenantId", "unitNumber") REFERENCES "Unit"
);
CREATE TABLE "Job" (
  "id" serial PRIMARY KEY, "title" text, "tenantId" integer NOT NULL, "unitNumber" integer, "shelfCode" text REFERENCES "Shelf" ("code"),
  FOREIGN KEY ("tenantId", "unitNumber") REFERENCES "Unit"
);
CREATE TABLE "Shift" (
  "id" serial PRIMARY KEY, "tenantId" integer, "unitNumber" integer, "spareNumber" integer,
  FOREIGN KEY ("tenantId", "unitNumber") REFERENCES "Unit", FOREIGN KEY ("tenantId", "spareNumber") REFERENCES "Unit"
);
