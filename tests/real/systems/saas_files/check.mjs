// Reads {shopify: [{query, variables}], sanity: [{query, params, documents}]} and answers the mistakes of each
// request by Shopify's own schema, and the IDs that Sanity's own evaluator finds for each query.
import fs from "node:fs";
import zlib from "node:zlib";
import { buildClientSchema, parse as parseGraphql, validate } from "graphql";
import { getVariableValues } from "graphql/execution/values.js";
import { evaluate, parse } from "groq-js";

const given = JSON.parse(fs.readFileSync(0, "utf8"));

function schemaOfShopify() {
  const read = JSON.parse(zlib.gunzipSync(fs.readFileSync("shopify-schema.json.gz")));
  return buildClientSchema(read.data ?? read);
}

function mistakes(schema, { query, variables }) {
  const document = parseGraphql(query);
  const declared = document.definitions[0].variableDefinitions ?? [];
  const values = getVariableValues(schema, declared, variables ?? {});
  return [...validate(schema, document), ...(values.errors ?? [])].map((one) => one.message);
}

async function found({ query, params, documents }) {
  const value = await evaluate(parse(query, { params }), { dataset: documents, params });
  return (await value.get()).map((one) => one._id ?? one);
}

const schema = given.shopify?.length ? schemaOfShopify() : null;
const answer = {
  shopify: (given.shopify ?? []).map((one) => mistakes(schema, one)),
  sanity: await Promise.all((given.sanity ?? []).map(found)),
};
process.stdout.write(JSON.stringify(answer));
