"""What stores hold is what was written to them, or is computed again; runs give the same bits however they are made."""

from __future__ import annotations

import csv
import shutil

import pytest
from bits_lab import compare_bits
from command import invoke
from kill_lab import study, write_case
from store_lab import damage_stores

import trundle
from trundle.rockfall import run_study


def test_damaged_problems_batches_and_results_are_found_or_computed_again(tmp_path):
    result = damage_stores(tmp_path, 9, seed=4)
    assert result["failures"] == []


def test_a_changed_batch_of_rockfall_is_computed_again_and_named(tmp_path):
    write_case(tmp_path)
    first = study(tmp_path, tmp_path / "out")
    files = sorted((tmp_path / "out" / "batches").iterdir())
    shutil.copy(files[0], files[1])  # whole, but of other blocks
    again = run_study(tmp_path / "case.toml", tmp_path / "out", workers=0, report=False)
    assert again.damaged == (files[1].name,)
    assert again.computed == 1
    assert study(tmp_path, tmp_path / "out") == first
    files[0].write_bytes(b"PK")
    result = invoke(
        ["rockfall", str(tmp_path / "case.toml"), "-o", str(tmp_path / "out"), "--workers", "0", "--no-report"]
    )
    assert result.exit_code == 0, result.output
    assert "1 files were damaged, and were computed again" in result.output


def test_names_of_barriers_are_no_formulas_in_tables(tmp_path):
    write_case(tmp_path)
    study(tmp_path, tmp_path / "out")
    with (tmp_path / "out" / "passes.csv").open(newline="") as stream:
        assert {row["barrier"] for row in csv.DictReader(stream)} == {"'=fence"}


def test_a_flipped_bit_of_a_problem_file_is_a_damaged_file(tmp_path):
    path = tmp_path / "p.hdf5"
    problem = trundle.ContactProblem(
        W=[[2.0, 0, 0], [0, 2.0, 0], [0, 0, 2.0]], q=[-1.0, 0.1, 0.0], laws=trundle.laws.Coulomb(mu=0.5)
    )
    trundle.save_problem(problem, path)
    data = bytearray(path.read_bytes())
    at = data.index(bytes.fromhex("9a9999999999b93f"))  # 0.1 of q
    data[at] ^= 1
    path.write_bytes(data)
    with pytest.raises(trundle.ProblemError, match="vectors/q is not what was written"):
        trundle.load_problem(path)
    assert invoke(["solve", str(path)]).exit_code == 3


@pytest.mark.parametrize("name", ["history", "compounds", "springs and limits", "flat patches", "auto", "grains"])
def test_a_run_gives_the_same_bits_repeated_recorded_and_resumed(tmp_path, name):
    assert compare_bits(tmp_path, 1, seed=6, names=(name,))["failures"] == []
