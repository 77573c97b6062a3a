export { readBounded } from "@aiplatform/document-store";
