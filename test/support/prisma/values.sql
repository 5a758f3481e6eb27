-- The tables of `values.prisma`.

CREATE TABLE "Holder" ("id" SERIAL PRIMARY KEY, "name" TEXT NOT NULL UNIQUE);
CREATE TABLE "Value" (
  "id" SERIAL PRIMARY KEY,
  "holderId" INTEGER REFERENCES "Holder" ON DELETE SET NULL ON UPDATE CASCADE,
  "json" JSONB,
  "requiredJson" JSONB NOT NULL DEFAULT '0',
  "textJson" JSON,
  "jsons" JSONB[],
  "int" INTEGER,
  "smallInt" SMALLINT,
  "bigInt" BIGINT,
  "float" DOUBLE PRECISION,
  "floats" DOUBLE PRECISION[],
  "real" REAL,
  "reals" REAL[],
  "decimal" DECIMAL(65,30),
  "price" DECIMAL(10,2),
  "prices" DECIMAL(10,2)[],
  "money" MONEY,
  "stamp" TIMESTAMP(3),
  "requiredStamp" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "stamps" TIMESTAMP(3)[],
  "seconds" TIMESTAMP(0),
  "instant" TIMESTAMPTZ(3),
  "instants" TIMESTAMPTZ(3)[],
  "day" DATE,
  "days" DATE[],
  "time" TIME(3),
  "char" CHAR(3),
  "varChar" VARCHAR(3),
  "varChars" VARCHAR(3)[]
);
