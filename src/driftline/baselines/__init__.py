"""The paper's rivals, under the same protocols and in the same exams as the content model."""
